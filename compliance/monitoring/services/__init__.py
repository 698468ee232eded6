"""One action a file, as everywhere: time and person are arguments."""
