"""``/disputes/{dispute}/dossiers``: signed dossiers of disputes."""
