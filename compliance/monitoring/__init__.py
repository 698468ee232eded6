"""Whether tables behave: what was dealt, held to what the rules are worth."""
