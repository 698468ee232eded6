"""Statistics of the monitor. Pure: no Django, no database."""
