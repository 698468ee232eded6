"""Validation of stored rounds by their rule sets."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from compliance.storage.copy_rows import copy_lines
from compliance.storage.copy_text import escaped, moment
from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from rounds.models import Validation
from rounds.rule_inputs import RoundToJudge
from rounds.rules.catalogue import rule_set
from rounds.rules.ruling import Ruling, judge_as_ruled
from rounds.rules.verdict import HELD, Verdict, held_on_arrival

_COLUMNS: Final = ("round_id", "sequence", "status", "anomalies", "validated_at", "actor")
_FIRST: Final = 1


class RulesRefusedError(Exception):
    """Nothing is paid by the rule set of the round as the code has it. Nothing was written."""

    def __init__(self, stored: RoundToJudge, text: str, *, running: bytes) -> None:
        super().__init__(text)
        self.entry = Entry(
            "ROUND_REFUSED",
            f"round:{stored.dealt.round}",
            {
                "rules": stored.dealt.rules,
                "received_under": stored.rules_digest.hex(),
                "running": running.hex(),
            },
        )
        """The audit record of the error."""


class RulesChangedError(RulesRefusedError):
    """The rule set of the code differs from the one under which the round arrived."""

    def __init__(self, stored: RoundToJudge, *, running: bytes) -> None:
        received = stored.rules_digest.hex()
        text = (
            f"{stored.dealt.rules} had the digest {received} when the round arrived and has"
            f" {running.hex()} in the code that runs now; the round waits for the code that it"
            " arrived under"
        )
        super().__init__(stored, text, running=running)


def validate_rounds(
    rounds: Sequence[RoundToJudge], *, at: datetime, actor: Actor
) -> tuple[list[Verdict], list[Entry]]:
    """Validates these rounds for the first time and stores the status of each.

    Returns the verdicts in the order of the rounds, and the audit entries of held rounds. Raises
    RulesChangedError, and IntegrityError for a round that was validated before; nothing is written
    then.
    """
    verdicts = [judge_round(stored) for stored in rounds]
    pairs = list(zip(rounds, verdicts, strict=True))
    when = f"{moment(at)}\t{escaped(actor.name)}\n"
    copy_lines(
        Validation,
        _COLUMNS,
        (
            f"{stored.id.hex}\t{_FIRST}\t{_status(verdict)}\t{{{','.join(verdict.anomalies)}}}\t{when}"
            for stored, verdict in pairs
        ),
    )
    return verdicts, [
        Entry("ROUND_HELD", f"round:{stored.dealt.round}", {"anomalies": verdict.anomalies})
        for stored, verdict in pairs
        if verdict.status == HELD
    ]


def validate_again(
    stored: RoundToJudge, *, ruling: Ruling | None = None, at: datetime, actor: Actor
) -> Verdict:
    """Validates a locked round again; stores the end of its hold, if it was held.

    A ruling is applied to the facts. A verdict that holds the round stores nothing. Raises
    RulesChangedError.
    """
    verdict = judge_round(stored, ruling)
    before = Validation.objects.filter(round_id=stored.id).order_by("-sequence")[0]
    if before.status == Validation.Status.HELD != verdict.status:
        Validation.objects.create(
            round_id=stored.id,
            sequence=before.sequence + 1,
            status=_status(verdict),
            anomalies=[],
            validated_at=at,
            actor=actor.name,
        )
    return verdict


def judge_round(stored: RoundToJudge, ruling: Ruling | None = None) -> Verdict:
    """The verdict of the round's rule set, under the limits in force on its arrival.

    A ruling is applied to the facts and overrides the anomalies of the arrival; without one they
    hold the round. Raises RulesChangedError if the rule set changed since the arrival: bets are
    never settled by rules that were not in force when they were placed.
    """
    rules = rule_set(stored.dealt.rules)
    if rules.digest != stored.rules_digest:
        raise RulesChangedError(stored, running=rules.digest)
    if ruling is not None:
        return judge_as_ruled(rules, stored.dealt, stored.shoe_before, stored.limits, ruling)
    verdict = rules.judge(stored.dealt, stored.shoe_before, stored.limits)
    return held_on_arrival(verdict, stored.arrival_anomalies)


def _status(verdict: Verdict) -> str:
    held = verdict.status == HELD
    return (Validation.Status.HELD if held else Validation.Status.VALIDATED).value
