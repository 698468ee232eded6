"""Simulated rounds of the blackjack family."""
