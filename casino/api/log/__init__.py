"""``/log``: the public log, for programs of other people."""
