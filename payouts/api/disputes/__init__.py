"""Disputes: opened, answered and escalated by programs; read as far as their key reaches."""
