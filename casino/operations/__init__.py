"""Operation of an installation: database grants and the check of the schema."""
