"""What a directory of the staff may do: take access away at once, and ask for roles."""
