"""Tables: registration, suspension, stake limits."""
