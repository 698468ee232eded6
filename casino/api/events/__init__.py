"""``/events``: the event stream, in the order of the signed log."""
