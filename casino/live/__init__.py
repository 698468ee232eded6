"""Pages that update themselves: server-sent events, fed by PostgreSQL's LISTEN."""
