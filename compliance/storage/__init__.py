"""Storage on PostgreSQL: append-only tables, COPY, partitions, prepared statements, the replica."""
