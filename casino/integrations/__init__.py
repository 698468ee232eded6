"""Programs that are connected: their keys, rates, answers given once, events and webhooks."""
