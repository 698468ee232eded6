"""Impact analyses: what customers would have been paid under a changed rule. Nothing is changed."""
