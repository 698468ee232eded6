"""The rights of the roles of the database on the table of this package, and of its own role."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader  siem
    siem_siemcursor                 r     r       r     r         r       raw

                                    siem
    trail_auditbatch                r
    trail_auditrecord               r
    trail_loggap                    r
    trail_loggedbatch               r
    trail_treehead                  r
"""
