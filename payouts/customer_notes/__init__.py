"""Notes that staff write about customers."""
