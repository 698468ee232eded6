"""The rights of the roles of the database on the tables of this application."""

from typing import Final

from compliance.storage.database_roles.role import DatabaseRole

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    trail_auditbatch                ra    ra      ra    ra        r
    trail_auditrecord               ra    ra      ra    ra        r
    trail_cosignature               r     ra      r     r         r
    trail_loggedbatch               r     ra      r     r         r
    trail_loggap                    r     ra      r     r         r
    trail_logkey                    r     ra      r     r         r
    trail_lognode                   r     ra      r     r         r
    trail_pendingbatch              ra    rad     ra    ra        r
    trail_pendingrow                ra    rad     ra    ra        r
    trail_sandboxstart              r     r       r     r         r
    trail_treehead                  r     ra      r     r         r
"""

SEQUENCES: Final = {"trail_batch": "trail_auditbatch"}

FUNCTIONS: Final = {"trail_make_partition": frozenset({DatabaseRole.WORKER})}
