"""The pages on which people decide about money: open, look at the effect, propose, approve."""
