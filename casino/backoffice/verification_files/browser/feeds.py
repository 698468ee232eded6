"""A feed of rounds, judged in the browser: totals by gaming day and game, faults, and any round."""

import json
from collections import Counter
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext

from casino.backoffice.verification_files.browser.checks import Judged
from rounds.gaming_day import gaming_day
from rounds.replay import Judged as JudgedRound
from rounds.replay import Rejected, judge_lines
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import HELD

_MOST_FAULTS: Final = 100


class _Total(NamedTuple):
    """The rounds of a gaming day by one rule set; money is in cents, chips are part of it."""

    day: date
    rules: str
    rounds: int
    held: int
    bets: int
    staked_cents: int
    paid_cents: int


class _Fault(NamedTuple):
    """A round that the rules hold, or a line that is no document."""

    round: str
    text: str


def is_feed(text: str) -> bool:
    """Whether the first line is a document of the feed contract."""
    try:
        first = json.loads(text.lstrip().partition("\n")[0])
    except ValueError:
        return False
    return isinstance(first, dict) and "feed" in first


def feed_context(text: str, *, name: str) -> dict[str, Any]:
    """Totals and faults of a feed, and what was found of the round of this name."""
    judged = _judged(text)
    faults = [fault for it in judged if (fault := _fault_of(it)) is not None]
    return {
        "totals": _totals(judged),
        "faults": faults[:_MOST_FAULTS],
        "fault_count": len(faults),
        "name": name,
    }


def round_in(text: str, name: str) -> Judged | None:
    """The round of this name as the rules judge it."""
    for it in _judged(text):
        if isinstance(it, JudgedRound) and it.dealt.round == name:
            paid = dict(zip([bet.id for bet in it.dealt.bets], it.verdict.grades, strict=False))
            return Judged(it.dealt, Ruling(), it.verdict, None, paid)
    return None


@lru_cache(maxsize=1)
def _judged(text: str) -> tuple[JudgedRound | Rejected, ...]:
    return tuple(judge_lines(text.encode().splitlines()))


def _totals(judged: Iterable[JudgedRound | Rejected]) -> list[_Total]:
    counts: dict[tuple[date, str], Counter[str]] = {}
    for it in judged:
        if isinstance(it, Rejected):
            continue
        dealt, verdict = it
        key = gaming_day(dealt.opened_at), dealt.rules
        count = counts.setdefault(key, Counter())
        count["rounds"] += 1
        if verdict.status == HELD:
            count["held"] += 1
            continue
        count["bets"] += len(dealt.bets)
        count["staked_cents"] += sum(bet.stake_cents + bet.raised_cents for bet in dealt.bets)
        count["paid_cents"] += sum(grade.payout_cents for grade in verdict.grades)
    names = _Total._fields[2:]
    return [_Total(*key, *(counts[key][name] for name in names)) for key in sorted(counts)]


def _fault_of(it: JudgedRound | Rejected) -> _Fault | None:
    if isinstance(it, Rejected):
        where = gettext("Line %(number)s") % {"number": it.line}
        return _Fault(it.error.round or where, str(it.error))
    if it.verdict.status != HELD:
        return None
    texts = [gettext(ANOMALIES[code]) for code in it.verdict.anomalies]
    return _Fault(it.dealt.round, " ".join(texts))
