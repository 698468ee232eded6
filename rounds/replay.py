"""Settling a feed in memory with the very rules that the workers use: no database, no clock."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from rounds.feed import Refused, is_blank, parse_line
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round, ShoeOpening
from rounds.rules.money import format_cents
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED, Verdict

REJECTED: Final = "rejected"


def replay_lines(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """A result for every round and every line that cannot be taken, in the order of the lines.

    The results have the form of the contract ("What comes out"). Shoes and round ids are followed
    from the first line to the last; no table is known, so no stake limit is checked.
    """
    shoes: dict[str, Shoe] = {}
    taken: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if is_blank(line):
            continue
        try:
            said = parse_line(line)
            if isinstance(said, ShoeOpening):
                shoes[said.shoe] = Shoe.opened(said)
                continue
            _refuse_taken(said, taken)
        except Refused as refusal:
            yield _rejected(refusal, line=number)
            continue
        taken.add(said.round)
        yield _result(said, _judge(said, shoes))


def _judge(dealt: Round, shoes: dict[str, Shoe]) -> Verdict:
    """The verdict; the round's shoe moves on (details 33 and 34)."""
    rules = rule_set(dealt.rules)
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


def _rejected(refusal: Refused, *, line: int) -> dict[str, Any]:
    return {
        "round": refusal.round,
        "status": REJECTED,
        "error": str(refusal),
        "line": line,
    }
