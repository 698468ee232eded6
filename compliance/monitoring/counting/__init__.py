"""Daily figures, one module per kind."""
