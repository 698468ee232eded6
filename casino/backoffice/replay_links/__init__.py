"""Links to the replay of a round: made by staff, opened by people without an account."""
