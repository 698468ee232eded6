"""Studio keys, and the tables that require signatures."""
