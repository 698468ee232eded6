"""Encoders of registers and certificates as files.

For registers, the database formats each row and Python streams the result in blocks, so memory does
not grow with the register.
"""
