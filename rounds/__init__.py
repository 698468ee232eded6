"""What happened at the tables: append-only facts, and the rules that judge them."""
