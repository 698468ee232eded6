"""The ambiguity register: how the sheets are read where they are silent or contradictory."""
