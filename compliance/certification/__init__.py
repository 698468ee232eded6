"""Exact returns to player, computed from the rule declarations that settle rounds."""
