"""Table monitor: compares observed results with the certified returns."""
