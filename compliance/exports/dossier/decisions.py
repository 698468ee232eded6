"""The signatures of those who decided a dispute, as its dossier carries them for its reader."""

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any, Final

from compliance.exports.dossier.models import Dossier
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import period_of
from compliance.signatures.signature_lines import Line, SignatureLines
from compliance.signatures.signature_verifier import DecidedRow
from payouts.cases.models import CaseStep
from payouts.disputes.models import Dispute, DisputeRemedy, DisputeStep
from payouts.disputes.models.dispute_step import DECISIONS

WITHHELD: Final = "text_withheld"
"""Of a decision that was signed together with others, which the reader may not see."""


def decisions_of(dispute: Dispute, audience: Dossier.Audience) -> dict[str, list[Line]]:
    """The decisions of the dispute and of its own remedy, and the keys that signed them.

    The customer sees neither the steps of cases nor who approved the keys.
    """
    signing = SignatureLines()
    is_for_customer = audience is Dossier.Audience.CUSTOMER
    lines = [signing.of_row(row) for row in _rows(dispute, with_cases=not is_for_customer)]
    keys = list(signing.keys())
    if is_for_customer:
        keys = [_without_approvals(key) for key in keys if _signs(key, lines)]
    if audience is not Dossier.Audience.REGULATOR:
        visible = [json.loads(line["record"]) for line in lines]
        lines = [_withheld(line, visible) for line in lines]
    return {"signatures": lines, "signing_keys": keys}


def _rows(dispute: Dispute, *, with_cases: bool) -> Iterator[DecidedRow]:
    steps = DisputeStep.objects.filter(dispute=dispute, action__in=DECISIONS)
    yield from steps.select_related("dispute__round", "dispute__customer").order_by("sequence")
    if with_cases:
        own = DisputeRemedy.objects.filter(dispute=dispute, is_own=True)
        decided = CaseStep.objects.filter(case__in=own.values("case"))
        decided = decided.exclude(action=CaseStep.Action.OPENED).order_by("case_id", "sequence")
        yield from decided.select_related("case", "customer")


def _signs(key: Line, lines: list[Line]) -> bool:
    return key["key"] in [line.get("key") for line in lines]


def _without_approvals(key: Line) -> Line:
    """The key with the time from which it signs, without the persons who approved it."""
    begins_at = period_of(SigningKey.objects.get(pk=key["key"])).begins_at
    return {**key, "decisions": [], "in_force_from": begins_at and begins_at.isoformat()}


def _withheld(line: Line, visible: list[Any]) -> Line:
    """The decision without the signed text, if that contains others than the visible ones."""
    if "signed_text" not in line:
        return line
    text = b64decode(line["signed_text"]).decode()
    together = json.loads(text)
    if text == line["record"] or all(decision in visible for decision in together):
        return line
    shown = {name: part for name, part in line.items() if name != "signed_text"}
    return {**shown, WITHHELD: True}
