"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    impact_impactanalysis           ra    raw     .     r         r
    impact_impactline               r     ra      .     r         r
    impact_impactpart               ra    raw     .     r         r
"""
