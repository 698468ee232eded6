"""The dossier of a dispute: all that its readers need, in one download that is signed."""
