"""Feed files uploaded by people and programs: stored, then ingested by workers."""
