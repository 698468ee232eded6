"""Thousands of broken documents: every line has a result, and none raises an exception.

Issue 3: 200,000 broken documents end with no exception, each line settled, held, void or rejected
with a reason that names the field.
"""

import json
import re
from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from rounds.feed import FeedError, parse_line
from rounds.replay import replay_lines
from rounds.rules.facts import ShoeOpening
from tests.repetitions import repeated
from tests.rounds.both_readers import assert_readers_agree
from tests.rounds.properties.broken_documents import broken_line
from tests.rounds.properties.printed_maximum import most_paid
from tests.rounds.properties.simulated import (
    NAMES,
    cents,
    crowds_of,
    pool_of,
    raise_of,
    shoes_of,
)

STATUSES: Final = {"settled", "held", "void", "rejected"}
ANOMALIES: Final = {
    *("missing-card", "extra-card", "illegal-play", "raise-mismatch", "main-bet-missing"),
    *("insurance-not-offered", "insurance-amount", "too-many-copies", "shoe-gap", "bonus-missing"),
    *("bonus-unearned", "bonus-grid", "multiplier-cards", "payout-differs"),
}
FIELDS: Final = frozenset(
    {
        *("feed", "round", "table", "rules", "shoe", "id", "drawn", "opened_at", "closed_at"),
        *("ended_at", "session", "cards", "bets", "multipliers", "bonus", "disconnects"),
        *("incident", "player", "participation", "box", "kind", "stake", "raised", "play"),
        *("funding", "behind", "follows", "placed_at", "reported", "level", "spins", "specials"),
        *("multiplier", "boost", "star", "at", "cards_seen", "burnt", "burnt_face_down"),
        *("dealer", "shift", "location", "video", "ref", "sha256"),
    }
)
"""Every field name of the contract."""
PATH: Final = re.compile(r"document|{name}(\.{name}|\[\d+\]|\.\d+|\.[A2-9TJQK][SHDC])*".replace(
    "{name}", f"({'|'.join(sorted(FIELDS))})"
))  # fmt: skip
BATCH: Final = 250
SHOES: Final = 0.05
CROWDS: Final = 0.03


def broken_lines(game: str, *, count: int, seed: str) -> list[bytes]:
    """This many edited lines of a game, some of them shoes."""
    rng = Random(f"{seed} {game}")
    sources = [pool_of(game), shoes_of(game) or pool_of(game), crowds_of(game)]
    weights = [1 - SHOES - CROWDS, SHOES, CROWDS]
    lines: list[bytes] = []
    while len(lines) < count:
        (source,) = rng.choices(sources, weights)
        line = broken_line(json.loads(rng.choice(source)), rng)
        if line.strip(b" \t\r\n"):
            lines.append(line)
    return lines


def assert_answered(line: bytes) -> str:
    """Asserts a valid result for the line, alike by both readers; returns its status."""
    assert_readers_agree(line)
    results = [*replay_lines([line])]
    assert results == [*replay_lines([line])]
    if not results:
        assert isinstance(parse_line(line), ShoeOpening)
        return "shoe"
    (result,) = results
    json.dumps(result).encode("ascii")
    assert result["status"] in STATUSES
    if result["status"] == "rejected":
        assert_names_a_field(result)
    else:
        assert_pays_no_more_than_printed(line, result)
    return str(result["status"])


def assert_names_a_field(result: dict[str, Any]) -> None:
    """Asserts that the error begins with the path of a known or a missing field."""
    assert result.keys() == {"round", "status", "error", "line"}
    assert result["line"] == 1
    path, _, reason = result["error"].partition(": found ")
    assert path
    if reason.startswith("an unknown field"):
        outer = path.partition(".")[0].partition("[")[0]
        path = outer if outer in FIELDS else "document"
    assert PATH.fullmatch(path), result["error"]
    assert "needed " in reason


def assert_pays_no_more_than_printed(line: bytes, result: dict[str, Any]) -> None:
    """Asserts sorted anomalies, and payouts within the sheet's maximum."""
    anomalies = result["anomalies"]
    assert anomalies == sorted(set(anomalies))
    assert set(anomalies) <= ANOMALIES
    assert (result["status"] == "held") == bool(anomalies)
    bets = {bet["id"]: bet for bet in json.loads(line)["bets"]}
    shows_bets = anomalies in ([], ["payout-differs"])
    assert result["bets"].keys() == (bets.keys() if shows_bets else set())
    document = json.loads(line)
    for name, graded in result["bets"].items():
        bet, paid = bets[name], cents(graded["payout"])
        assert graded["outcome"] in {"win", "push", "lose", "void"}
        if graded["outcome"] == "void":
            assert paid == cents(bet["stake"]) + raise_of(bet)
        else:
            assert paid <= most_paid(document, bet)


def assert_one_answer_a_line(lines: list[bytes]) -> None:
    """Asserts one result for each line that is not a valid shoe."""
    between = [b"" if number % 2 else b" \t\r" for number in range(len(lines))]
    feed = [line + b"\n" for pair in zip(lines, between, strict=True) for line in pair]

    results = [*replay_lines(feed)]

    numbers = [result["line"] for result in results if result["status"] == "rejected"]
    assert all(number % 2 for number in numbers)
    assert len(results) == sum(not is_valid_shoe(line) for line in lines)


def is_valid_shoe(line: bytes) -> bool:
    """Whether the line announces a shoe without faults."""
    try:
        return isinstance(parse_line(line), ShoeOpening)
    except FeedError:
        return False


def fuzz(game: str, *, count: int, seed: str) -> Counter[str]:
    """The statuses of this many broken lines of a game, each with a valid result."""
    statuses: Counter[str] = Counter()
    for batch in range(0, count, BATCH):
        lines = broken_lines(game, count=min(BATCH, count - batch), seed=f"{seed} {batch}")
        statuses.update(assert_answered(line) for line in lines)
        assert_one_answer_a_line(lines)
    return statuses


class TestABrokenDocument:
    """Valid documents with random edits, seeded."""

    @pytest.mark.slow
    @pytest.mark.timeout(1_800)
    @pytest.mark.parametrize("part", range(4))
    @pytest.mark.parametrize("game", NAMES)
    def test_has_a_result(self, game: str, part: int) -> None:
        """Issue 3: 40,000 for each of five games, in four parts."""
        statuses = fuzz(game, count=repeated(10_000), seed=f"deep {part}")

        assert statuses.total() == repeated(10_000)
        rare = STATUSES if repeated(10_000) == 10_000 else set()
        assert statuses.keys() >= {"settled", "held", "rejected"} | rare
