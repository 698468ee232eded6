"""Legal holds: place and lift."""
