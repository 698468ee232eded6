"""Services of the monitor, one action per file."""
