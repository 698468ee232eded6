"""What Sabot's speed is, measured side by side with the machine's own limits."""
