"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    archive_rejudgepart             r     raw     .     raw       r
    archive_rejudgerun              r     raw     .     raw       r
"""
