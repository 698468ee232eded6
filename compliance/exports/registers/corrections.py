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
    about="Settlements booked on the day that take the place of an earlier one, or that complete a"
    " round of an earlier day. Each names the round and the settlement that it corrects, with the"
    " money before and after. Those with in_stages 1 are part of the day's stages; the others"
    " change the figures of the day by what they differ.",
    pgda="corrections of stages played: cancel, replace, adjust",
    columns=(
        SESSION,
        STAGE,
        ROUND,
        TABLE,
        RULES,
        digest("rules_digest", "digest of the rule set that settled it"),
        day("corrects_day", "the day that the round is booked on"),
        integer(
            "corrects_settlement",
            "the settlement before, none where it completes a round",
            optional=True,
        ),
        integer("settlement", "sequence of the settlement that corrects"),
        text(
            "action",
            "cancel: every bet is void now; replace: the round is read otherwise;"
            " adjust: only what it pays; complete: the first settlement of a round that was open",
            plain=True,
        ),
        integer("in_stages", "1 where the round is booked on the days told of"),
        time("settled_at", "when"),
        text("actor", "who decided"),
        text("approved_by", "who approved", optional=True),
        text("reason", "why", optional=True),
        cents("staked_cents", "staked in cash, which no correction changes"),
        *(
            cents(f"{name}_{moment}_cents", f"{about}, {moment}")
            for moment in ("before", "after")
            for name, about in (
                *((("open", "staked and not settled"),) if moment == "before" else ()),
                ("refunded", "given back for void bets"),
                ("winnings", "paid to bets that counted"),
                ("difference", "taxable difference"),
                ("returned_chips", "golden chips given back"),
            )
        ),
    ),
    query=f"""
        WITH {CHANGED}, {NUMBERED_CHANGED}, {CORRECTED}
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
