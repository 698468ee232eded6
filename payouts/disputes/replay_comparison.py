"""The finding about a contested round: its settlement compared with a replay by the rules.

A finding is JSON, stored with the dispute under its digest. It contains its sentences in Italian
and English, because code and catalogue may change.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from compliance.trail.batches import batch_of
from compliance.trail.encoding import json_of
from compliance.trail.models import LoggedBatch
from compliance.trail.queries import records_of
from payouts.cases.models import Case
from payouts.disputes.explanations import explain_bets
from payouts.disputes.models import Dispute
from payouts.disputes.queries import disputed_bets
from payouts.disputes.similar_bets import find_similar_bets
from payouts.settlement.models import BetSettlement, Settlement
from payouts.settlement.queries import settlement_statuses
from rounds.models import Bet, Round
from rounds.rule_inputs import rounds_to_judge
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade, Verdict
from rounds.rulings import rulings_of
from rounds.services.validate import RulesChangedError, judge_round

_FORMAT: Final = "sabot finding/1"
_MOST_BETS: Final = 50
"""The most bets of one customer that are explained; the first ones."""
_MOST_LISTED: Final = 50


def build_finding(dispute: Dispute) -> dict[str, Any]:
    """The finding about a dispute, as of now."""
    row = Round.objects.select_related("table").get(pk=dispute.round_id)
    status = settlement_statuses([row.id])[row.id]
    bets = list(disputed_bets(dispute).select_related("customer").order_by("number")[:_MOST_BETS])
    settled = _settled(status.settlement, bets)
    ruling = _ruling_in_force(status.settlement)
    verdict, error = _replayed(row, None)
    ruled = None if ruling is None else _replayed(row, ruling)[0]
    by_rules = _grades(verdict, bets)
    grades = settled or by_rules
    explained = explain_bets(row, grades, ruling if settled else None)
    return {
        "finding": _FORMAT,
        "round": _round(row),
        "status": status.status.value,
        "anomalies": list(status.anomalies),
        "settlements": _settlements(row),
        "replay": {
            "status": None if verdict is None else verdict.status,
            "anomalies": [] if verdict is None else list(verdict.anomalies),
            "refused": error,
            "agrees": _agreement(settled, by_rules),
            "ruling_agrees": _agreement(settled, _grades(ruled, bets)) if ruling else None,
        },
        "bets": [
            {
                **_bet(bet),
                "settled": _grade_json(settled.get(bet.number)),
                "rules_give": _grade_json(by_rules.get(bet.number)),
                **explained.steps.get(bet.number, {"steps": []}),
                "siblings": find_similar_bets(bet, status.settlement),
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


def _replayed(row: Round, ruling: Ruling | None) -> tuple[Verdict | None, str]:
    """The rules' verdict on the stored round, or why there is none."""
    if row.rules not in RULE_SETS:
        return None, f"found {row.rules}; needed a rule set that the running code knows"
    [stored] = rounds_to_judge([row.id])
    try:
        return judge_round(stored, ruling), ""
    except RulesChangedError as error:
        return None, str(error)


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
    """Whether the bets were paid what the rules give; None if either is unknown."""
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


def _grade_json(grade: Grade | None) -> dict[str, Any] | None:
    return None if grade is None else {**grade._asdict(), "reasons": list(grade.reasons)}


def _settlements(row: Round) -> list[dict[str, Any]]:
    """The settlements of the round, in order."""
    settlements = Settlement.objects.filter(round_id=row.id).order_by("sequence")
    return [
        {
            "sequence": settlement.sequence,
            "kind": settlement.kind,
            "at": settlement.settled_at.isoformat(),
            "actor": settlement.actor,
            "approved_by": settlement.approved_by,
            "reason": settlement.reason,
            "payout_cents": settlement.payout_cents,
            "results_sha256": bytes(settlement.results_digest).hex(),
        }
        for settlement in settlements[:_MOST_LISTED]
    ]


def _records(row: Round) -> list[dict[str, Any]]:
    """The audit records of the round, and whether the signed log contains them."""
    records = list(records_of(f"round:{row.reference}")[:_MOST_LISTED])
    batches = {record.pk: batch_of(record.pk) for record in records}
    logged = set(
        LoggedBatch.objects.filter(batch_id__in=set(batches.values())).values_list(
            "batch_id", flat=True
        )
    )
    return [
        {
            "id": str(record.pk),
            "action": record.action,
            "at": record.at.isoformat(),
            "in_log": batches[record.pk] in logged,
        }
        for record in records
    ]


def _cases(row: Round) -> list[str]:
    cases = Case.objects.filter(rounds__round_id=row.id).order_by("pk")
    return [str(case) for case in cases[:_MOST_LISTED]]


def _disputes(dispute: Dispute) -> list[str]:
    others = Dispute.objects.filter(round_id=dispute.round_id, pk__lt=dispute.pk).order_by("pk")
    return [str(other) for other in others[:_MOST_LISTED]]
