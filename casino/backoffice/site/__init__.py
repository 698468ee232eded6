"""Shared by all pages: views, forms, badges, lists, errors, appearance."""
