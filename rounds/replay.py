"""Replay: settling a feed in memory by the rules that workers use. No database, no clock."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from rounds.feed import FeedError, is_blank, parse_line
from rounds.rules.catalogue import RULE_SETS, Catalogue
from rounds.rules.explained.explanation import Explanation
from rounds.rules.facts import Round, ShoeOpening
from rounds.rules.money import format_cents
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED, Verdict

REJECTED: Final = "rejected"


class Judged(NamedTuple):
    """A round of a feed and the verdict of its rules."""

    dealt: Round
    verdict: Verdict


class Rejected(NamedTuple):
    """An invalid line, by its number in the feed, from 1."""

    line: int
    error: FeedError


def judge_lines(
    lines: Iterable[bytes], catalogue: Catalogue = RULE_SETS
) -> Iterator[Judged | Rejected]:
    """Judges every round of a feed, in the order of the lines; invalid lines are rejected.

    Shoes and round ids are tracked over all lines. Stake limits are not checked.
    """
    shoes: dict[str, Shoe] = {}
    known_ids: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if is_blank(line):
            continue
        try:
            parsed = parse_line(line, catalogue)
            if isinstance(parsed, ShoeOpening):
                shoes[parsed.shoe] = Shoe.opened(parsed)
                continue
            _check_id(parsed, known_ids)
        except FeedError as error:
            yield Rejected(number, error)
            continue
        known_ids.add(parsed.round)
        yield Judged(parsed, _judge(parsed, shoes, catalogue[parsed.rules]))


def replay_lines(
    lines: Iterable[bytes], catalogue: Catalogue = RULE_SETS
) -> Iterator[dict[str, Any]]:
    """The results of ``judge_lines`` in the format of the contract ("What comes out")."""
    return map(result_of, judge_lines(lines, catalogue))


def result_of(judged: Judged | Rejected) -> dict[str, Any]:
    """The result of a line in the format of the contract."""
    return _result(*judged) if isinstance(judged, Judged) else _rejected(*judged)


def explanations_of(judged: Judged, catalogue: Catalogue = RULE_SETS) -> tuple[Explanation, ...]:
    """The explanation of each bet; empty for a verdict without grades."""
    dealt, verdict = judged
    if not verdict.grades:
        return ()
    graded = list(zip(dealt.bets, verdict.grades, strict=True))
    return catalogue[dealt.rules].explain(dealt, graded)


def _judge(dealt: Round, shoes: dict[str, Shoe], rules: RuleSet) -> Verdict:
    """The verdict; advances the round's shoe (details 33 and 34)."""
    if dealt.shoe is None:
        return rules.judge(dealt, None)
    before = shoes.get(dealt.shoe, Shoe())
    shoes[dealt.shoe] = before.after(dealt)
    return rules.judge(dealt, before)


def _check_id(dealt: Round, known_ids: set[str]) -> None:
    """A round id is used once (detail 6)."""
    if dealt.round in known_ids:
        raise FeedError("round", f"{dealt.round!r} again", "an id of its own", dealt.round)


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


def _rejected(line: int, error: FeedError) -> dict[str, Any]:
    return {"round": error.round, "status": REJECTED, "error": str(error), "line": line}
