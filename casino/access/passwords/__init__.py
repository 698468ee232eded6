"""What new passwords must be, and when passwords are verified."""
