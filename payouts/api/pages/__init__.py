"""The pages on which administrators manage keys."""
