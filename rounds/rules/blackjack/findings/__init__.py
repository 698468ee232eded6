"""The findings about a held round of the blackjack family."""
