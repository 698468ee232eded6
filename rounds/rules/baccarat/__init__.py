"""Baccarat: the third-card tableau, coups and bets."""
