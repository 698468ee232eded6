"""What Sabot finds about a contested round at once: its cards judged anew beside what was settled.

Everything is read and nothing written. What comes out is JSON, kept with the dispute under its
digest; sentences stand in it in Italian and English, because code and catalogue may change.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from compliance.trail.batches import batch_of
from compliance.trail.encoding import json_of
from compliance.trail.models import LoggedBatch
from compliance.trail.queries import records_of
from payouts.disputes.explained import explained_bets
from payouts.disputes.siblings import siblings_of
from payouts.models import BetSettlement, Case, Dispute, Settlement
from payouts.queries import standings_of
from rounds.judging import rounds_to_judge
from rounds.models import Bet, Round
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade, Verdict
from rounds.rulings import rulings_of
from rounds.services.validate import RulesChangedError, judge_round

_FORM: Final = "sabot finding/1"
_MOST_BETS: Final = 50
"""So many bets of one customer are explained at most, the first ones."""
_MOST_LISTED: Final = 50


def find_about(dispute: Dispute) -> dict[str, Any]:
    """The finding about a dispute, as of this moment."""
    row = Round.objects.select_related("table").get(pk=dispute.round_id)
    standing = standings_of([row.id])[row.id]
    bets = _contested(dispute)
    settled = _settled(standing.settlement, bets)
    ruling = _ruling_in_force(standing.settlement)
    told, refusal = _judged(row, None)
    ruled = None if ruling is None else _judged(row, ruling)[0]
    by_rules = _grades(told, bets)
    grades = settled or by_rules
    explained = explained_bets(row, grades, ruling if settled else None)
    return {
        "finding": _FORM,
        "round": _round(row),
        "status": standing.status.value,
        "anomalies": list(standing.anomalies),
        "settlements": _settlements(row),
        "replay": {
            "status": None if told is None else told.status,
            "anomalies": [] if told is None else list(told.anomalies),
            "refused": refusal,
            "agrees": _agreement(settled, by_rules),
            "ruling_agrees": _agreement(settled, _grades(ruled, bets)) if ruling else None,
        },
        "bets": [
            {
                **_bet(bet),
                "settled": _said(settled.get(bet.number)),
                "rules_give": _said(by_rules.get(bet.number)),
                **explained.steps.get(bet.number, {"steps": []}),
                "siblings": siblings_of(bet, standing.settlement),
            }
            for bet in bets
        ],
        "readings": explained.readings,
        "records": _records(row),
        "earlier": {"cases": _cases(row), "disputes": _disputes(dispute)},
    }


def digest_of_finding(content: Mapping[str, Any]) -> bytes:
    """SHA-256 over the canonical encoding of a finding."""
    return hashlib.sha256(json_of(content).encode()).digest()


def _contested(dispute: Dispute) -> list[Bet]:
    """The bet that is contested, or the customer's bets of the round."""
    bets = Bet.objects.filter(round_id=dispute.round_id, customer_id=dispute.customer_id)
    if dispute.bet_number is not None:
        bets = bets.filter(number=dispute.bet_number)
    return list(bets.select_related("customer").order_by("number")[:_MOST_BETS])


def _judged(row: Round, ruling: Ruling | None) -> tuple[Verdict | None, str]:
    """What the rules say of the stored round now; nothing, and why, where they are others now."""
    if row.rules not in RULE_SETS:
        return None, f"found {row.rules}; needed a rule set that the running code knows"
    [stored] = rounds_to_judge([row.id])
    try:
        return judge_round(stored, ruling), ""
    except RulesChangedError as refusal:
        return None, str(refusal)


def _ruling_in_force(settlement: Settlement | None) -> Ruling | None:
    if settlement is None or settlement.approved_by is None:
        return None
    return rulings_of([settlement.round_id]).get(settlement.round_id, {}).get(settlement.sequence)


def _settled(settlement: Settlement | None, bets: list[Bet]) -> dict[int, Grade]:
    if settlement is None:
        return {}
    rows = BetSettlement.objects.filter(
        round_id=settlement.round_id,
        sequence=settlement.sequence,
        bet_number__in=[bet.number for bet in bets],
    )
    return {
        row.bet_number: Grade(row.outcome, row.payout_cents, row.chips_cents, tuple(row.reasons))
        for row in rows
    }


def _grades(verdict: Verdict | None, bets: list[Bet]) -> dict[int, Grade]:
    if verdict is None or not verdict.grades:
        return {}
    return {bet.number: verdict.grades[bet.number] for bet in bets}


def _agreement(settled: Mapping[int, Grade], judged: Mapping[int, Grade]) -> bool | None:
    """Whether these bets were paid what was judged; None where one of both is not known."""
    return settled == judged if settled and judged else None


def _round(row: Round) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "reference": row.reference,
        "code": row.game_code,
        "table": row.table.code,
        "rules": row.rules,
        "rules_sha256": bytes(row.rules_digest).hex(),
        "opened_at": row.opened_at.isoformat(),
        "aams_session": row.session,
        "malfunction": row.malfunction,
        "cards": list(row.cards),
        "document_sha256": bytes(row.digest).hex(),
    }


def _bet(bet: Bet) -> dict[str, Any]:
    return {
        "number": bet.number,
        "reference": bet.reference,
        "customer": bet.customer.pseudonym,
        "aams_participation": bet.participation,
        "kind": bet.kind,
        "box": bet.box,
        "staked_cents": bet.stake_cents + bet.raised_cents,
        "golden": bet.golden,
        "placed_at": bet.placed_at.isoformat(),
        "reported_cents": bet.reported_cents,
    }


def _said(grade: Grade | None) -> dict[str, Any] | None:
    return None if grade is None else {**grade._asdict(), "reasons": list(grade.reasons)}


def _settlements(row: Round) -> list[dict[str, Any]]:
    """Every settlement that the round had, in order."""
    return [
        {
            "sequence": one.sequence,
            "kind": one.kind,
            "at": one.settled_at.isoformat(),
            "actor": one.actor,
            "approved_by": one.approved_by,
            "reason": one.reason,
            "payout_cents": one.payout_cents,
            "results_sha256": bytes(one.results_digest).hex(),
        }
        for one in Settlement.objects.filter(round_id=row.id).order_by("sequence")[:_MOST_LISTED]
    ]


def _records(row: Round) -> list[dict[str, Any]]:
    """What is on record of the round, and what of it the signed log has already."""
    records = list(records_of(f"round:{row.reference}")[:_MOST_LISTED])
    batches = {one.pk: batch_of(one.pk) for one in records}
    logged = set(
        LoggedBatch.objects.filter(batch_id__in=set(batches.values())).values_list(
            "batch_id", flat=True
        )
    )
    return [
        {
            "id": str(one.pk),
            "action": one.action,
            "at": one.at.isoformat(),
            "in_log": batches[one.pk] in logged,
        }
        for one in records
    ]


def _cases(row: Round) -> list[str]:
    cases = Case.objects.filter(rounds__round_id=row.id).order_by("pk")
    return [str(case) for case in cases[:_MOST_LISTED]]


def _disputes(dispute: Dispute) -> list[str]:
    others = Dispute.objects.filter(round_id=dispute.round_id, pk__lt=dispute.pk).order_by("pk")
    return [str(one) for one in others[:_MOST_LISTED]]
