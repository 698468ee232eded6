"""The gate of ``make check``: which migrations may be applied while the previous release runs."""
