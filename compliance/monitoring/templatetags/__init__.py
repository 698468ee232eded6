"""Tags of the monitor's pages."""
