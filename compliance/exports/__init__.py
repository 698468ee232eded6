"""What the regulator gets: registers of a day, and the signed bundle that verifies itself."""
