"""Benchmarks of Sabot, compared with peers and with the limits of the machine."""
