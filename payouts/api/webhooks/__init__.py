"""Webhooks: events sent to programs, signed, in their order."""
