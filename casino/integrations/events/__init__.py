"""Events: audit records as programs read them."""
