"""The archive in an S3-compatible object store: uploaded, fetched and verified."""
