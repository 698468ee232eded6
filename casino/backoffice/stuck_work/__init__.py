"""The exceptions queue: its list, the page of one item, and what can be done about it."""
