"""Explanations of bets of the blackjack family."""
