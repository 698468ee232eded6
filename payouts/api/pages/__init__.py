"""The pages on which administrators manage keys and look after webhooks."""
