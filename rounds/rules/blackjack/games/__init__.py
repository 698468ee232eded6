"""The declarations of the four blackjack games, a sheet each."""
