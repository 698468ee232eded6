"""The dossier of a dispute: a signed download for customer, outside body or regulator."""
