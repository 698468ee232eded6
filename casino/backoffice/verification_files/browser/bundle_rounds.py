"""The rounds of a bundle, judged again from the studio's feeds and compared with the registers."""

import gzip
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from compliance.exports import verify_bundle
from rounds.gaming_day import gaming_day
from rounds.replay import Judged, Rejected, judge_lines
from rounds.rules.anomalies import STAKE_LIMITS
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Bet
from rounds.rules.verdict import HELD, Grade

Json = dict[str, Any]
Row = dict[str, str]

_STAGES: Final = "registers/stages.csv"
_BETS: Final = "registers/bets.csv"
_WAITING: Final = "waiting"
_TELL_EACH: Final = 200
"""Rounds between two reports of progress."""


class Difference(NamedTuple):
    """Where register and rules differ: what the register has, and what the rules need."""

    round: str
    place: str
    found: str
    needed: str


class Named(NamedTuple):
    """A round that was not compared, or a line of a feed, and why."""

    round: str
    """Empty for a line that names none."""
    why: str
    line: int = 0
    """Its number, from 1, counted over all feeds."""


@dataclass
class Comparison:
    """What the comparison found; amounts are in cents."""

    rounds: int = 0
    """The rounds that were compared, differing ones included."""
    bets: int = 0
    differences: list[Difference] = field(default_factory=list)
    missing_in_feed: list[str] = field(default_factory=list)
    missing_in_bundle: list[str] = field(default_factory=list)
    decided: list[Named] = field(default_factory=list)
    """About which persons decided; they are not compared."""
    undecidable: list[Named] = field(default_factory=list)
    """Held for the stake limits, which no feed has, or not settled yet."""
    refused: list[Named] = field(default_factory=list)
    """Lines that are no documents."""
    other_days: int = 0
    error: str = ""
    """Why a feed, or the registers, cannot be read."""

    @property
    def differs(self) -> bool:
        """Whether something does not agree."""
        found = self.differences, self.missing_in_feed, self.missing_in_bundle, self.refused
        return bool(self.error) or any(found)


class _Stage(NamedTuple):
    rules: str
    rules_digest: str
    status: str
    settlement: int
    staked_cents: int
    paid_cents: int


def compare_rounds(
    bundle: zipfile.ZipFile, feeds: list[str], *, count: Callable[[int, int], object]
) -> Comparison | None:
    """Judges every round of the feeds, in the order of the files.

    None for a bundle without all bets of its rounds. ``count`` is told how many rounds of how many
    are judged.
    """
    of = json.loads(verify_bundle.whole(bundle, verify_bundle.MANIFEST))["of"]
    if of["contents"] != "registers" or of["customer"]:
        return None
    result = Comparison()
    try:
        _Comparing(bundle, of, result).run(feeds, count)
    except (verify_bundle.Wrong, *verify_bundle.UNREADABLE) as error:
        result.error = f"{type(error).__name__}: {error}"
    return result


class _Comparing:
    """A comparison under way."""

    def __init__(self, bundle: zipfile.ZipFile, of: Json, result: Comparison) -> None:
        self.of, self.result = of, result
        rows = verify_bundle.rows_of
        self.stages = {row["round"]: _stage(row) for row in map(_plain, rows(bundle, _STAGES))}
        self.bets: dict[str, list[Row]] = {}
        for row in map(_plain, rows(bundle, _BETS)):
            self.bets.setdefault(row["round"], []).append(row)
        self.decided: dict[str, str] = {}
        self.held: dict[str, str] = {}
        for name in ("corrections", "malfunctions"):
            for row in map(_plain, rows(bundle, f"registers/{name}.csv")):
                self._note(row)

    def _note(self, row: Row) -> None:
        """What a row of the corrections or malfunctions says about a round of these days."""
        if row.get("event") == HELD:
            self.held[row["round"]] = row["reason"]
        elif row["approved_by"] and row["round"] in self.stages:
            persons = f"{row['actor']}, {row['approved_by']}"
            self.decided[row["round"]] = f"{row['reason']} ({persons})"

    def run(self, feeds: list[str], count: Callable[[int, int], object]) -> None:
        """Judges and compares."""
        seen: set[str] = set()
        for number, judged in enumerate(judge_lines(_lines(feeds)), start=1):
            if isinstance(judged, Rejected):
                name, why = judged.error.round or "", str(judged.error)
                self.result.refused.append(Named(name, why, judged.line))
            else:
                seen.add(judged.dealt.round)
                self._compare(judged)
            if number % _TELL_EACH == 0:
                count(number, len(self.stages))
        self.result.missing_in_feed = [name for name in self.stages if name not in seen]

    def _compare(self, judged: Judged) -> None:
        dealt, result = judged.dealt, self.result
        stage, name = self.stages.get(dealt.round), dealt.round
        if stage is None:
            if self._is_of_these_days(judged):
                result.missing_in_bundle.append(name)
            else:
                result.other_days += 1
        elif name in self.decided or stage.settlement > 1:
            result.decided.append(Named(name, self.decided.get(name, "")))
        elif stage.status == _WAITING or STAKE_LIMITS in self.held.get(name, "").split():
            result.undecidable.append(Named(name, self.held.get(name, stage.status)))
        else:
            found = list(self._differences(judged, stage))
            result.differences += found
            result.rounds += 1
            result.bets += len(dealt.bets)

    def _is_of_these_days(self, judged: Judged) -> bool:
        dealt, of = judged.dealt, self.of
        filters = {
            "game": dealt.rules.partition("/")[0],
            "table": dealt.table,
            "rules": dealt.rules,
        }
        day = str(gaming_day(dealt.opened_at))
        is_there = all(of[name] in ("", value) for name, value in filters.items())
        return is_there and of["first_day"] <= day <= of["last_day"]

    def _differences(self, judged: Judged, stage: _Stage) -> Iterator[Difference]:
        dealt, verdict = judged
        facts = {
            "rules": (stage.rules, dealt.rules),
            "rules_digest": (stage.rules_digest, RULE_SETS[dealt.rules].digest.hex()),
            "status": (stage.status, verdict.status),
        }
        if stage.status == HELD == verdict.status:
            reasons = self.held.get(dealt.round, ""), " ".join(verdict.anomalies)
            yield from _differing(dealt.round, "registers/malfunctions.csv", {"reason": reasons})
        elif HELD not in (stage.status, verdict.status):
            staked = sum(bet.stake_cents + bet.raised_cents for bet in dealt.bets)
            paid = sum(grade.payout_cents for grade in verdict.grades)
            facts["staked_cents + staked_chips_cents"] = f"{stage.staked_cents}", f"{staked}"
            facts["refunded_cents + winnings_cents + returned_chips_cents"] = (
                f"{stage.paid_cents}",
                f"{paid}",
            )
            yield from self._differing_bets(dealt.round, dealt.bets, verdict.grades)
        yield from _differing(dealt.round, _STAGES, facts)

    def _differing_bets(
        self, name: str, bets: tuple[Bet, ...], grades: tuple[Grade, ...]
    ) -> Iterator[Difference]:
        rows = self.bets.get(name, [])
        if len(rows) != len(bets):
            counts = {"bets": (f"{len(rows)}", f"{len(bets)}")}
            yield from _differing(name, _BETS, counts)
            return
        for row, bet, grade in zip(rows, bets, grades, strict=True):
            needed = {
                "bet": bet.id,
                "customer": bet.player,
                "stake_cents": f"{bet.stake_cents}",
                "raised_cents": f"{bet.raised_cents}",
                "outcome": grade.outcome,
                "payout_cents": f"{grade.payout_cents}",
                "payout_chips_cents": f"{grade.chips_cents}",
                "because": " ".join(grade.reasons),
            }
            both = {column: (row[column], value) for column, value in needed.items()}
            yield from _differing(name, f"{_BETS}, {bet.id}", both)


def _differing(name: str, place: str, facts: dict[str, tuple[str, str]]) -> Iterator[Difference]:
    for column, (found, needed) in facts.items():
        if found != needed:
            yield Difference(name, f"{place}: {column}", found, needed)


def _plain(row: Row) -> Row:
    return {name: verify_bundle.plain(value) for name, value in row.items()}


def _stage(row: Row) -> _Stage:
    cents = verify_bundle.cents_in
    return _Stage(
        row["rules"],
        row["rules_digest"],
        row["status"],
        int(row["settlement"] or 0),
        cents(row, "staked") + cents(row, "staked_chips"),
        sum(cents(row, name) for name in ("refunded", "winnings", "returned_chips")),
    )


def _lines(feeds: list[str]) -> Iterator[bytes]:
    """The lines of the feeds, which may be compressed. Raises Wrong for one that is too long."""
    most = verify_bundle.LARGEST_IN_MEMORY
    for name in feeds:
        opened = gzip.open(name) if name.endswith(".gz") else open(name, "rb")  # noqa: PTH123, SIM115  closed below
        with opened as file:
            while line := file.readline(most + 1):
                if len(line) > most:
                    raise verify_bundle.Wrong(f"{name} has a line of more than {most} bytes")
                yield line
