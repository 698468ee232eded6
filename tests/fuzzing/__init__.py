"""Coverage-guided fuzzing of what reads strangers' bytes (docs/contributor/fuzzing.md)."""
