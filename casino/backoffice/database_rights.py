"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    backoffice_formdraft            rawd  rd      .     .         .
    backoffice_listfile             rawd  .       .     .         .
    backoffice_listfilepart         rad   .       .     .         .
    backoffice_savedview            rawd  .       .     .         .
"""
