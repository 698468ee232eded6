"""The exceptions queue: its list, the page of an item, and the actions on it."""
