"""Services of the exports, one action per file."""
