"""Connected programs: API keys, rate limits, idempotent answers, events and webhooks."""
