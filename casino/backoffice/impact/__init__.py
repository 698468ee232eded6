"""Impact analyses: begin one, and see its result."""
