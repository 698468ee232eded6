"""The exact returns of the rule sets. Pure: the rules and arithmetic, no Django, no database."""
