"""Settlement: rate compared with COPY, latency, growth of the database."""
