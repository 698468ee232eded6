"""Gaming days: figures, pending items and closing."""
