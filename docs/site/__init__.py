"""Sources of the documentation, and the scripts that build it."""
