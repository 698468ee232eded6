"""The register of corrections."""

from typing import Final

from django.utils.translation import gettext_noop

from compliance.exports.registers.columns import ROUND, RULES, SESSION, STAGE, TABLE
from compliance.exports.registers.register import (
    Register,
    cents,
    day,
    digest,
    integer,
    text,
    time,
)
from compliance.exports.registers.table_expressions import CHANGED, CORRECTED, NUMBERED_CHANGED

CORRECTIONS: Final = Register(
    key="corrections",
    version=1,
    row="correction",
    title=gettext_noop("Corrections"),
    about="Settlements booked on the day that replace an earlier one or complete a round of an"
    " earlier day, with the corrected round and settlement and the money before and after."
    " Those with in_stages 1 are part of the day's stages; the others change the figures of the"
    " day by their difference.",
    pgda="corrections of stages played: cancel, replace, adjust",
    columns=(
        SESSION,
        STAGE,
        ROUND,
        TABLE,
        RULES,
        digest("rules_digest", "digest of the rule set that settled it"),
        day("corrects_day", "booking day of the round"),
        integer(
            "corrects_settlement",
            "the previous settlement; none if it completes a round",
            optional=True,
        ),
        integer("settlement", "sequence of the correcting settlement"),
        text(
            "action",
            "cancel: every bet is now void; replace: the facts of the round were corrected; adjust:"
            " only payouts changed; complete: the first settlement of an open round",
            plain=True,
        ),
        integer("in_stages", "1 if the round is booked on the reported days"),
        time("settled_at", "when"),
        text("actor", "who decided"),
        text("approved_by", "who approved", optional=True),
        text("reason", "why", optional=True),
        cents("staked_cents", "staked in cash; no correction changes it"),
        *(
            cents(f"{name}_{moment}_cents", f"{about}, {moment}")
            for moment in ("before", "after")
            for name, about in (
                *((("open", "staked, not settled"),) if moment == "before" else ()),
                ("refunded", "refunded for void bets"),
                ("winnings", "paid to valid bets"),
                ("difference", "taxable difference"),
                ("returned_chips", "golden chips returned"),
            )
        ),
    ),
    tables=(CHANGED, NUMBERED_CHANGED, CORRECTED),
    select="""
        SELECT corrected.*, renumbered.stage, corrected.reference AS round,
               corrected.table_code AS "table", corrected.round_on AS corrects_day,
               nullif(corrected.sequence - 1, 0) AS corrects_settlement,
               corrected.sequence AS settlement,
               (corrected.round_on >= %(first_day)s)::int AS in_stages
          FROM corrected JOIN renumbered ON renumbered.id = corrected.round_id
    """,
    order=('line.session COLLATE "C"', "line.stage", "line.settlement"),
    clock="settled_at",
)
