"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader

    tables and their rules
    rounds_stakelimit               ra    r       r     r         r
    rounds_stakelimitset            ra    r       r     r         r
    rounds_table                    raw   r       r     r         r
    rounds_tablesuspension          ra    r       r     r         r
    rounds_earliertable             r     r       r     r         r
    rounds_earlierruleset           r     r       r     r         r
    rounds_signaturerequirement     ra    r       r     r         r
    rounds_studiokey                ra    r       r     r         r
    rounds_studiokeystep            ra    r       r     r         r

    facts of rounds, and the documents that brought them
    rounds_bet                      ra    r       ra    r         r
    rounds_conflictingdocument      ra    r       ra    r         r
    rounds_customer                 ra    r       ra    r         r
    rounds_openconflict             rad   r       ra    r         r
    rounds_openquarantine           rad   r       ra    r         r
    rounds_quarantineddocument      ra    r       ra    r         r
    rounds_queuedround              raw   rwd     ra    r         r
    rounds_round                    ra    r       ra    r         r
    rounds_roundname                ra    r       ra    r         r
    rounds_roundvideo               ra    r       .     r         r
    rounds_shoeopening              ra    r       ra    r         r
    rounds_signedbatch              ra    r       ra    r         r
    rounds_signedchunk              ra    r       ra    r         r

    money
    rounds_storedruling             r     ra      .     r         r
    rounds_validation               r     ra      .     r         r

    the books
    rounds_closedday                ra    ra      r     r         r
"""

SEQUENCES: Final = {"rounds_arrival": "rounds_queuedround"}
