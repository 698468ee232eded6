"""Gaming days: their bookings, control totals and closing."""
