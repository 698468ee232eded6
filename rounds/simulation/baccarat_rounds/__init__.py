"""Simulated coups of baccarat."""
