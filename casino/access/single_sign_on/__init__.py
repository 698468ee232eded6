"""Single sign-on: another provider's login in the place of a password, and of nothing else."""
