"""The key that calls, and the public keys."""
