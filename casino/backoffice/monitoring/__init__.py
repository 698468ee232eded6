"""Monitoring of tables: charts and figures by watch."""
