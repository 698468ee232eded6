"""Judging stored rounds by their rule sets."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from compliance.trail.actor import Actor
from compliance.trail.append_only import copy_rows
from compliance.trail.record import Entry, record_entries
from rounds.models import Validation
from rounds.queries import StoredRound
from rounds.rules.catalogue import rule_set
from rounds.rules.verdict import HELD, Verdict

_COLUMNS: Final = ("round_id", "sequence", "status", "anomalies", "validated_at", "actor")
_FIRST: Final = 1


class RulesChangedError(Exception):
    """A round arrived under other rules than those which the code has under the same name."""

    def __init__(self, stored: StoredRound, *, running: bytes) -> None:
        name, received = stored.dealt.rules, stored.rules_digest.hex()
        super().__init__(
            f"{name} had the digest {received} when the round arrived and has {running.hex()} in"
            " the code that runs now; the round waits for the code that it arrived under"
        )
        self.entry = Entry(
            "ROUND_REFUSED",
            f"round:{stored.dealt.round}",
            {"rules": name, "received_under": received, "running": running.hex()},
        )
        """The refusal for the trail."""


def validate_rounds(rounds: Sequence[StoredRound], *, at: datetime, actor: Actor) -> list[Verdict]:
    """Judges these rounds for the first time and stores, for each, validated or held.

    The verdicts stand in the order of the rounds. A round that was validated before violates the
    key of the validations, and nothing is written; nor is anything after a RulesChangedError.
    """
    verdicts = [judge_round(stored) for stored in rounds]
    pairs = list(zip(rounds, verdicts, strict=True))
    copy_rows(
        Validation,
        _COLUMNS,
        (
            (stored.id, _FIRST, _status(verdict), list(verdict.anomalies), at, actor.name)
            for stored, verdict in pairs
        ),
    )
    held = [
        Entry("ROUND_HELD", f"round:{stored.dealt.round}", {"anomalies": verdict.anomalies})
        for stored, verdict in pairs
        if verdict.status == HELD
    ]
    record_entries(held, at=at, actor=actor)
    return verdicts


def judge_round(stored: StoredRound) -> Verdict:
    """What the round's own rule set says of it, at the limits under which it arrived.

    RulesChangedError where the rule set of that name is not the one under which it arrived: nobody
    is paid by rules that did not hold when he bet.
    """
    rules = rule_set(stored.dealt.rules)
    if rules.digest != stored.rules_digest:
        raise RulesChangedError(stored, running=rules.digest)
    return rules.judge(stored.dealt, stored.shoe_before, stored.limits)


def _status(verdict: Verdict) -> str:
    return Validation.Status.HELD if verdict.status == HELD else Validation.Status.VALIDATED
