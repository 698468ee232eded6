"""The first page: what needs attention, business of the last days, background jobs."""
