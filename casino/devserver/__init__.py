"""`make run`: the whole platform on this machine, from nothing to `ready`."""
