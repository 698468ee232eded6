"""What was booked on a gaming day, and whether that agrees. Only reading; closing is a service."""
