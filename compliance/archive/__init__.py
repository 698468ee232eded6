"""The archive: closed months as signed Parquet files, verified, judged again and queried."""
