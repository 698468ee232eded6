"""Rule sets and rule interpretations."""
