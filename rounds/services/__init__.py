"""One action per file. Services take the time and the actor as arguments."""
