"""API keys and webhooks."""
