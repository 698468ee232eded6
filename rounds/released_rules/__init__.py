"""The released rules: the seals that show every change, and their compiled form."""
