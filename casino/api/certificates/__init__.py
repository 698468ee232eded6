"""``/certificates``: signed returns of rule sets."""
