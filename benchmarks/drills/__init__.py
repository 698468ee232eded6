"""Drills: a casino in play loses its database and gets it back; what was lost, how long it took."""
