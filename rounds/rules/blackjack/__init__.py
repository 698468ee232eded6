"""The blackjack family: one engine, and a declaration for each game."""
