"""Settlement of rounds, voids and resettlements."""
