"""Rounds, bets and shoes as append-only facts, and the rules that evaluate them."""
