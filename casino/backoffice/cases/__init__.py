"""Cases: open, preview the effect, propose, approve."""
