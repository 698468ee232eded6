"""Links to the replay of one round, for people outside of the operator."""
