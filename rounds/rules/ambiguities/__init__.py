"""The ambiguity register: the interpretation of every silent or contradictory point of a sheet."""
