"""The dossier of a dispute: a signed download for customer, external body or regulator."""
