"""Registers as files: the database writes each row as it stands in the file, Python only carries.

An encoder yields blocks of bytes of about a megabyte, so memory does not grow with the register.
"""
