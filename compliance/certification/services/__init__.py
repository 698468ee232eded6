"""Services: setting and approving multiplier weights."""
