"""The soak: a whole installation under mixed load and faults, both from a seed (`make soak`)."""
