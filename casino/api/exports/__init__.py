"""``/exports``: bundles for the regulator."""
