"""What a dossier says: the dispute, what was found, what was decided and why, and the proofs.

JSON values only, in both languages where they are sentences. Nothing is written here.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext, override

from compliance.exports.bundle.software import software
from compliance.exports.dossier.models import Dossier
from compliance.exports.likelihood_words import likelihood_letter
from compliance.exports.likelihoods import Likelihood, likelihood_of
from compliance.trail.models import AuditRecord
from compliance.trail.nodes import NotInLog
from compliance.trail.proofs import prove_record
from compliance.trail.queries import records_of
from payouts.disputes.queries import finding_for_customer
from payouts.disputes.standing import SAID_TO_THE_CUSTOMER, standing_of, steps_of
from payouts.models import Dispute, DisputeFinding, DisputeRemedy, DisputeStep
from payouts.queries import standings_of
from rounds.models import Bet, Round
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.citation import Citation

_FORMAT: Final = "sabot-dossier/1"
_LANGUAGES: Final = ("it", "en")
_MOST_RECORDS: Final = 200
_OF_ITS_MONEY: Final = (
    "ROUND_RECEIVED",
    "ROUND_HELD",
    "ROUND_SETTLED",
    "ROUND_RESETTLED",
    "ROUND_RULED",
    "ROUND_VOIDED",
)
"""Records of a round that name no customer; the others are for the regulator."""
_OF_WHAT_WAS_SAID: Final = (
    "DISPUTE_OPENED",
    "DISPUTE_FOUND",
    "DISPUTE_EVIDENCE_ADDED",
    *(f"DISPUTE_{action.value.upper()}" for action in SAID_TO_THE_CUSTOMER),
)
"""Records of a dispute that hold no note of people here for each other; a customer gets these."""


def contents_of(dispute: Dispute, audience: Dossier.Audience, *, at: datetime) -> dict[str, Any]:
    """What is known at this moment, as this reader may see it."""
    finding = DisputeFinding.objects.get(dispute=dispute)
    steps = steps_of(dispute)
    shown = (
        finding.content if audience is Dossier.Audience.REGULATOR else finding_for_customer(dispute)
    )
    return {
        "format": _FORMAT,
        "audience": audience.value,
        "made_at": at.isoformat(),
        "software": software()._asdict(),
        "dispute": _dispute(dispute),
        "state": standing_of(steps).state.value,
        "finding": shown,
        "finding_sha256": bytes(finding.digest).hex(),
        "rules": _rules(dispute.round, shown["bets"]),
        "likelihood": _likelihoods(dispute, shown),
        "steps": [_step(step, audience) for step in steps],
        "remedies": _remedies(dispute),
        "evidence": [
            {"name": one.name, "bytes": one.size, "sha256": bytes(one.digest).hex()}
            for one in dispute.evidence.order_by("pk")
        ],
        "proofs": _proofs(dispute, audience),
    }


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
    keys = dict.fromkeys(key for one in verdicts for key in one["reasons"])
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
        "title": _in_both(cited.title),
        "summary": _in_both(cited.summary),
    }


def _in_both(text: str) -> dict[str, str]:
    told = {}
    for language in _LANGUAGES:
        with override(language):
            told[language] = gettext(text)
    return told


def _step(step: DisputeStep, audience: Dossier.Audience) -> dict[str, Any]:
    is_told = audience is not Dossier.Audience.CUSTOMER or step.action in SAID_TO_THE_CUSTOMER
    return {
        "sequence": step.sequence,
        "action": step.action,
        "note": step.note if is_told else "",
        "citations": step.citations,
        "reference": step.reference,
        "on_day": None if step.on_day is None else step.on_day.isoformat(),
        "due_at": None if step.due_at is None else step.due_at.isoformat(),
        "at": step.at.isoformat(),
        "actor": step.actor,
    }


def _likelihoods(dispute: Dispute, finding: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How likely the ends of the contested bets were; nothing where nothing is certified."""
    settlement = standings_of([dispute.round_id])[dispute.round_id].settlement
    if settlement is None:
        return []
    numbers = [bet["number"] for bet in finding["bets"]]
    found = []
    for bet in Bet.objects.filter(round=dispute.round, number__in=numbers).order_by("number"):
        likely = likelihood_of(dispute.round, bet, settlement)
        if likely is not None:
            found.append(
                {
                    "bet": bet.number,
                    "certificate_sha256": bytes(likely.certificate.digest).hex(),
                    "text": {code: _letter(code, likely) for code in _LANGUAGES},
                }
            )
    return found


def _letter(language: str, likely: Likelihood) -> list[str]:
    with override(language):
        return likelihood_letter(likely)


def _remedies(dispute: Dispute) -> list[dict[str, Any]]:
    """The customer's own; what others got is theirs."""
    own = DisputeRemedy.objects.filter(dispute=dispute, is_own=True).select_related("case")
    return [
        {"case": str(one.case), "kind": one.case.kind, "step": one.sequence}
        for one in own.order_by("sequence")
    ]


def _proofs(dispute: Dispute, audience: Dossier.Audience) -> list[dict[str, Any]]:
    """Of each record of round and dispute that this reader gets: that it is in the signed log."""
    of_round = records_of(f"round:{dispute.round.reference}")
    if audience is not Dossier.Audience.REGULATOR:
        of_round = of_round.filter(action__in=_OF_ITS_MONEY)
    of_dispute = records_of(f"dispute:{dispute}")
    if audience is Dossier.Audience.CUSTOMER:
        of_dispute = of_dispute.filter(action__in=_OF_WHAT_WAS_SAID)
    return [_proof(one) for found in (of_round, of_dispute) for one in found[:_MOST_RECORDS]]


def _proof(record: AuditRecord) -> dict[str, Any]:
    """The proof, or that the record waits for its place in the log."""
    try:
        return prove_record(record.pk)
    except NotInLog:
        return {"record_id": str(record.pk), "action": record.action, "waits_for_the_log": True}
