"""``/certificates``: what rule sets return, computed and signed."""
