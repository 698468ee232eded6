"""Rounds: list, page, cards, bets, explanations and proofs."""
