"""Settling a feed in memory with the very rules that the workers use: no database, no clock."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from rounds.feed import Refused, is_blank, parse_line
from rounds.rules.catalogue import RULE_SETS, Catalogue
from rounds.rules.explained.explanation import Explanation
from rounds.rules.facts import Round, ShoeOpening
from rounds.rules.money import format_cents
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED, Verdict

REJECTED: Final = "rejected"


class Judged(NamedTuple):
    """A round of a feed, with what its rules say of it."""

    dealt: Round
    verdict: Verdict


class Rejected(NamedTuple):
    """A line that cannot be taken, by its number in the feed, from 1."""

    line: int
    refusal: Refused


def judge_lines(
    lines: Iterable[bytes], catalogue: Catalogue = RULE_SETS
) -> Iterator[Judged | Rejected]:
    """Every round of a feed and every line that cannot be taken, judged in the order of the lines.

    Shoes and round ids are followed from the first line to the last; no table is known, so no
    stake limit is checked.
    """
    shoes: dict[str, Shoe] = {}
    taken: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if is_blank(line):
            continue
        try:
            said = parse_line(line, catalogue)
            if isinstance(said, ShoeOpening):
                shoes[said.shoe] = Shoe.opened(said)
                continue
            _refuse_taken(said, taken)
        except Refused as refusal:
            yield Rejected(number, refusal)
            continue
        taken.add(said.round)
        yield Judged(said, _judge(said, shoes, catalogue[said.rules]))


def replay_lines(
    lines: Iterable[bytes], catalogue: Catalogue = RULE_SETS
) -> Iterator[dict[str, Any]]:
    """What ``judge_lines`` finds, in the form of the contract ("What comes out")."""
    for found in judge_lines(lines, catalogue):
        yield result_of(found)


def result_of(found: Judged | Rejected) -> dict[str, Any]:
    """What came of a line, in the form of the contract."""
    return _result(*found) if isinstance(found, Judged) else _rejected(*found)


def explanations_of(judged: Judged, catalogue: Catalogue = RULE_SETS) -> tuple[Explanation, ...]:
    """Why each bet of the round pays what the verdict says; none where that lists no bets."""
    dealt, verdict = judged
    if not verdict.grades:
        return ()
    graded = list(zip(dealt.bets, verdict.grades, strict=True))
    return catalogue[dealt.rules].explain(dealt, graded)


def _judge(dealt: Round, shoes: dict[str, Shoe], rules: RuleSet) -> Verdict:
    """The verdict; the round's shoe moves on (details 33 and 34)."""
    if dealt.shoe is None:
        return rules.judge(dealt, None)
    before = shoes.get(dealt.shoe, Shoe())
    shoes[dealt.shoe] = before.after(dealt)
    return rules.judge(dealt, before)


def _refuse_taken(dealt: Round, taken: set[str]) -> None:
    """A round id is used once (detail 6)."""
    if dealt.round in taken:
        raise Refused("round", f"{dealt.round!r} again", "an id of its own", dealt.round)


def _result(dealt: Round, verdict: Verdict) -> dict[str, Any]:
    bets = zip(dealt.bets, verdict.grades, strict=True) if verdict.grades else ()
    result: dict[str, Any] = {
        "round": dealt.round,
        "status": verdict.status,
        "anomalies": list(verdict.anomalies),
        "bets": {
            bet.id: {"outcome": grade.outcome, "payout": format_cents(grade.payout_cents)}
            for bet, grade in bets
        },
    }
    if verdict.bonus is not None and verdict.status == SETTLED:
        result["bonus"] = verdict.bonus._asdict()
    return result


def _rejected(line: int, refusal: Refused) -> dict[str, Any]:
    return {
        "round": refusal.round,
        "status": REJECTED,
        "error": str(refusal),
        "line": line,
    }
