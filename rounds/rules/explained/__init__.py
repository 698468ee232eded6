"""What a bet's payout came from, step by step, as data that any language can word."""
