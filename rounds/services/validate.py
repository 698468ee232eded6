"""Judging stored rounds by their rule sets."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from compliance.trail.actor import Actor
from compliance.trail.copying import copy_lines, escaped, moment
from compliance.trail.record import Entry
from rounds.judging import RoundToJudge
from rounds.models import Validation
from rounds.rules.catalogue import rule_set
from rounds.rules.ruling import Ruling, judge_as_ruled
from rounds.rules.verdict import HELD, Verdict

_COLUMNS: Final = ("round_id", "sequence", "status", "anomalies", "validated_at", "actor")
_FIRST: Final = 1


class RulesChangedError(Exception):
    """A round arrived under other rules than those which the code has under the same name."""

    def __init__(self, stored: RoundToJudge, *, running: bytes) -> None:
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


def validate_rounds(
    rounds: Sequence[RoundToJudge], *, at: datetime, actor: Actor
) -> tuple[list[Verdict], list[Entry]]:
    """Judges these rounds for the first time and stores, for each, validated or held.

    Gives the verdicts in the order of the rounds, and what is to be recorded of those held. A
    round that was validated before violates the key of the validations, and nothing is written;
    nor is anything after a RulesChangedError.
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
    """Judges a round that was judged before; stores that it is held no longer, if it was.

    ``ruling`` is how persons read the round, None where what the studio told stands. The round must
    be locked. A verdict that holds it stores nothing. Raises RulesChangedError.
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
    """What the round's own rule set says of it, at the limits under which it arrived.

    With a ruling, of the round as persons read it.

    RulesChangedError where the rule set of that name is not the one under which it arrived: nobody
    is paid by rules that did not hold when he bet.
    """
    rules = rule_set(stored.dealt.rules)
    if rules.digest != stored.rules_digest:
        raise RulesChangedError(stored, running=rules.digest)
    if ruling is not None:
        return judge_as_ruled(rules, stored.dealt, stored.shoe_before, stored.limits, ruling)
    return rules.judge(stored.dealt, stored.shoe_before, stored.limits)


def _status(verdict: Verdict) -> str:
    held = verdict.status == HELD
    return (Validation.Status.HELD if held else Validation.Status.VALIDATED).value
