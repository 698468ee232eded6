"""``/exports``: bundles for the regulator, where they stand, their files."""
