"""``/webhooks``: signed deliveries of events to programs."""
