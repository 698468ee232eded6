"""The feed: quarantined, conflicting and queued documents, and uploads."""
