"""What of exports and dossiers programs are told by the REST API, whose frame is payouts.api."""
