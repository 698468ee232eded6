"""The four blackjack main games by combinatorial analysis over the finite shoe."""
