"""The rules of every game: pure functions of the standard library alone."""
