"""Days of a casino under a clock of their own, each from a seed."""
