"""Retention: legal holds, and which months may be archived."""
