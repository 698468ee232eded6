"""Tags of the export centre's pages."""
