"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    certification_weightset         ra    r       r     r         r
    certification_weightsetapproval ra    r       r     r         r
"""
