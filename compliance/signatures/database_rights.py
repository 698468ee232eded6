"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    signatures_decisionsignature    ra    r       r     r         r
    signatures_earlierdecision      r     r       r     r         r
    signatures_signingkey           ra    r       r     r         r
    signatures_signingkeystep       ra    r       r     r         r
"""
