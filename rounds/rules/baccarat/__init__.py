"""Baccarat: the table of the third card, the coup, the bets on it."""
