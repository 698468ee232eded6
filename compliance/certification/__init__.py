"""What the rules are worth, exactly: computed from the declarations by which rounds are settled."""
