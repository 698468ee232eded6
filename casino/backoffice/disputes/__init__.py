"""Disputes: list, page, opening and decisions."""
