"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader

    facts of rounds, and the documents that brought them
    payouts_feedanswers             r     r       raw   r         r
    payouts_feedchunk               rad   r       rd    .         .
    payouts_feedsignatures          ra    r       r     r         r
    payouts_feedupload              raw   r       rw    r         r

    money
    payouts_account                 r     raw     .     r         r
    payouts_betsettlement           r     ra      .     r         r
    payouts_carriedbalance          r     r       .     r         r
    payouts_carriedday              r     r       .     r         r
    payouts_dailybets               r     raw     .     r         r
    payouts_dailyrounds             r     raw     .     r         r
    payouts_goodwillcredit          r     ra      .     r         r
    payouts_payover                 r     ra      .     r         r
    payouts_settlement              r     ra      .     r         r
    payouts_transfer                r     ra      .     r         r

    decisions of persons, and their execution
    payouts_case                    ra    ra      .     r         r
    payouts_caseevidence            ra    ra      .     r         r
    payouts_casehalt                r     ra      .     r         r
    payouts_casehaltstep            ra    r       .     r         r
    payouts_caseplan                ra    r       .     r         r
    payouts_caseround               ra    ra      .     r         r
    payouts_caserun                 ra    rw      .     r         r
    payouts_casestep                ra    ra      .     r         r
    payouts_casework                ra    rw      .     r         r
    payouts_reason                  ra    r       .     r         r
    payouts_customernote            ra    r       .     .         r
    payouts_dispute                 ra    r       .     r         r
    payouts_disputeevidence         ra    r       .     r         r
    payouts_disputefinding          ra    r       .     r         r
    payouts_disputereminder         r     ra      .     r         r
    payouts_disputeremedy           ra    r       .     r         r
    payouts_disputestep             ra    ra      .     r         r
    payouts_disputeterm             ra    r       .     r         r
    payouts_evidenceshare           ra    r       .     r         r
    payouts_verdictproposal         ra    r       .     r         r
    payouts_integritystop           r     ra      .     r         r
    payouts_integritystopstep       ra    r       .     r         r
    payouts_legalhold               ra    r       .     r         r
    payouts_legalholdlift           ra    r       .     r         r
    payouts_listimport              raw   r       .     .         .

    the books
    payouts_dayclosing              ra    ra      .     r         r
    payouts_recheckhour             r     raw     .     r         r
    payouts_reconciledifference     r     ra      .     r         r
    payouts_reconcilepart           ra    raw     .     r         r
    payouts_reconcilerun            ra    raw     .     r         r

    exceptions
    payouts_failingtask             raw   raw     raw   raw       r
    payouts_stuckworkstep           ra    r       r     r         r
"""
