"""Content of a dossier: dispute, finding, decisions and proofs, as JSON values.

Texts are in both languages. Read-only.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db.models import QuerySet

from compliance.exports.bet_likelihood import likelihood_of
from compliance.exports.bundle.software import software
from compliance.exports.dossier.decisions import decisions_of
from compliance.exports.dossier.models import Dossier
from compliance.exports.likelihood_text import likelihood_sentences
from compliance.trail.log.proofs import prove_record
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.models import AuditRecord
from compliance.trail.queries import records_of
from compliance.trail.sandbox import sandbox_member
from payouts.disputes.models import (
    Dispute,
    DisputeEvidence,
    DisputeFinding,
    DisputeRemedy,
    DisputeStep,
)
from payouts.disputes.queries import finding_for_customer
from payouts.disputes.status import CUSTOMER_VISIBLE_ACTIONS, dispute_status, steps_of
from payouts.settlement.queries import settlement_statuses
from rounds.explanations.sentences import rule_summary, rule_title
from rounds.formatting import in_each_language
from rounds.models import Bet, Round
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.citation import Citation

_FORMAT: Final = "sabot-dossier/2"
_MOST_RECORDS: Final = 200
CUSTOMER_ROUND_ACTIONS: Final = (
    "ROUND_RECEIVED",
    "ROUND_HELD",
    "ROUND_SETTLED",
    "ROUND_RESETTLED",
    "ROUND_RULED",
    "ROUND_VOIDED",
)
"""Actions of round records that a customer sees; the others are about employees' work."""
_CUSTOMER_ACTIONS: Final = (
    "DISPUTE_OPENED",
    "DISPUTE_FOUND",
    "DISPUTE_EVIDENCE_ADDED",
    *(f"DISPUTE_{action.value.upper()}" for action in CUSTOMER_VISIBLE_ACTIONS),
)
"""Actions of dispute records without internal notes, included for the customer."""


def contents_of(dispute: Dispute, audience: Dossier.Audience, *, at: datetime) -> dict[str, Any]:
    """The content of a dossier for this audience at this time."""
    finding = DisputeFinding.objects.get(dispute=dispute)
    steps = steps_of(dispute)
    shown = (
        finding.content if audience is Dossier.Audience.REGULATOR else finding_for_customer(dispute)
    )
    return {
        "format": _FORMAT,
        **sandbox_member(),
        "audience": audience.value,
        "made_at": at.isoformat(),
        "software": software()._asdict(),
        "dispute": _dispute(dispute),
        "state": dispute_status(steps).state.value,
        "finding": shown,
        "finding_sha256": bytes(finding.digest).hex(),
        "rules": _rules(dispute.round, shown["bets"]),
        "likelihood": _likelihoods(dispute, shown),
        "steps": [_step(step, audience) for step in steps],
        "remedies": _remedies(dispute),
        "evidence": [
            {"name": file.name, "bytes": file.size, "sha256": bytes(file.digest).hex()}
            for file in evidence_for(dispute, audience)
        ],
        "proofs": _proofs(dispute, audience),
        **decisions_of(dispute, audience),
    }


def evidence_for(dispute: Dispute, audience: Dossier.Audience) -> QuerySet[DisputeEvidence]:
    """The evidence for this audience; for the customer, shared files only."""
    rows = DisputeEvidence.objects.filter(dispute=dispute).order_by("pk")
    if audience is Dossier.Audience.CUSTOMER:
        return rows.filter(share__isnull=False)
    return rows


def _dispute(dispute: Dispute) -> dict[str, Any]:
    return {
        "reference": str(dispute),
        "customer": dispute.customer.pseudonym,
        "opened_at": dispute.opened_at.isoformat(),
        "opened_by": dispute.opened_by,
        "actor": dispute.actor,
        "reason": dispute.reason,
        "bet_number": dispute.bet_number,
        "claimed_cents": dispute.claimed_cents,
        "text": dispute.text,
        "language": dispute.language,
    }


def _rules(row: Round, bets: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    known = RULE_SETS.get(row.rules)
    verdicts = [bet[name] for bet in bets for name in ("settled", "rules_give") if bet[name]]
    keys = dict.fromkeys(key for verdict in verdicts for key in verdict["reasons"])
    reasons = {} if known is None else known.reasons
    return {
        "name": row.rules,
        "game": None if known is None else known.game,
        "sheet": None if known is None else known.sheet,
        "boxes": None if known is None else known.boxes,
        "sha256": bytes(row.rules_digest).hex(),
        "applied": [_rule(key, reasons[key]) for key in keys if key in reasons],
    }


def _rule(key: str, cited: Citation) -> dict[str, Any]:
    return {
        "rule": key,
        "sheet": cited.sheet,
        "heading": cited.heading,
        "title": in_each_language(partial(rule_title, cited)),
        "summary": in_each_language(partial(rule_summary, cited)),
    }


def _step(step: DisputeStep, audience: Dossier.Audience) -> dict[str, Any]:
    is_disclosed = (
        audience is not Dossier.Audience.CUSTOMER or step.action in CUSTOMER_VISIBLE_ACTIONS
    )
    return {
        "sequence": step.sequence,
        "action": step.action,
        "note": step.note if is_disclosed else "",
        "citations": step.citations,
        "reference": step.reference,
        "on_day": None if step.on_day is None else step.on_day.isoformat(),
        "due_at": None if step.due_at is None else step.due_at.isoformat(),
        "at": step.at.isoformat(),
        "actor": step.actor,
    }


def _likelihoods(dispute: Dispute, finding: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Likelihoods of the contested bets, where certified."""
    settlement = settlement_statuses([dispute.round_id])[dispute.round_id].settlement
    if settlement is None:
        return []
    numbers = [bet["number"] for bet in finding["bets"]]
    likelihoods = []
    for bet in Bet.objects.filter(round=dispute.round, number__in=numbers).order_by("number"):
        likely = likelihood_of(dispute.round, bet, settlement)
        if likely is not None:
            likelihoods.append(
                {
                    "bet": bet.number,
                    "certificate_sha256": bytes(likely.certificate.digest).hex(),
                    "text": in_each_language(partial(likelihood_sentences, likely)),
                }
            )
    return likelihoods


def _remedies(dispute: Dispute) -> list[dict[str, Any]]:
    """Remedies for this customer only."""
    remedies = DisputeRemedy.objects.filter(dispute=dispute, is_own=True).select_related("case")
    return [
        {"case": str(remedy.case), "kind": remedy.case.kind, "step": remedy.sequence}
        for remedy in remedies.order_by("sequence")
    ]


def _proofs(dispute: Dispute, audience: Dossier.Audience) -> list[dict[str, Any]]:
    """Inclusion proofs of the records of round and dispute for this audience."""
    of_round = records_of(f"round:{dispute.round.reference}")
    if audience is not Dossier.Audience.REGULATOR:
        of_round = of_round.filter(action__in=CUSTOMER_ROUND_ACTIONS)
    of_dispute = records_of(f"dispute:{dispute}")
    if audience is Dossier.Audience.CUSTOMER:
        of_dispute = of_dispute.filter(action__in=_CUSTOMER_ACTIONS)
    records = [*of_round[:_MOST_RECORDS], *of_dispute[:_MOST_RECORDS]]
    if audience is Dossier.Audience.CUSTOMER:
        shared = {bytes(file.digest).hex() for file in evidence_for(dispute, audience)}
        records = [
            record
            for record in records
            if record.details.get("sha256") in shared or not _is_evidence(record)
        ]
    return [_proof(record) for record in records]


def _is_evidence(record: AuditRecord) -> bool:
    """Whether the record is about an evidence file."""
    return record.action == "DISPUTE_EVIDENCE_ADDED"


def _proof(record: AuditRecord) -> dict[str, Any]:
    """The inclusion proof, or a placeholder if the record is not in the log yet."""
    try:
        return prove_record(record.pk)
    except NotInLog:
        return {"record_id": str(record.pk), "action": record.action, "waits_for_the_log": True}
