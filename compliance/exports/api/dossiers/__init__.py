"""``/disputes/{dispute}/dossiers``: asked for, signed by a worker, taken away."""
