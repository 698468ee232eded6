"""Services that move money, one action a file."""
