"""``/me``: the key that calls."""
