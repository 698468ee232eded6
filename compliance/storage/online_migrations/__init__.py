"""Migrations of a database in use: bounded waits for locks, and indexes built besides the traffic.

``docs/contributor/migrations.md`` is the policy; ``manage.py migrate`` uses the bounds.
"""
