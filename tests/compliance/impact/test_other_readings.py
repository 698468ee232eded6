"""Payouts under other readings, worked out by hand from what the register says of each."""

import json

import pytest

from casino.embedded.server_paths import CLONE
from compliance.impact.other_readings import known_readings, rules_by_reading
from rounds.feed import parse_document
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.facts import Bet, Round
from tests.rounds.rules.dealing import BACCARAT, BLACKJACK, bet, dealt, judged, side

_PLAYER_WINS = "P:4S B:7H P:5D B:TC"
_BANKER_WINS = "P:4S B:4H P:3D B:5C"
_TIE = "P:4S B:7H P:5D B:2C"
_TWO_PERFECT_PAIRS = "P:4H B:7C P:4H B:7C"
_ONE_PERFECT_PAIR = "P:4H B:7C P:4H B:TC"
_TEN_VALUES = "1:KH D:9C 1:QH D:8D"
_THREE_TENS = "1:KH D:TC 1:QS D:8D"
_STRAIGHT = "1:4H D:6C 1:5S D:AD"
_FIGURES = "P:KH B:7C P:QH B:2C"
_KING_ACE_TWO = "1:KH D:AC 1:2S D:8D"
_TWO_OF_ONE_SUIT = "1:4S D:6H 1:5S D:AD"


def paid(key: tuple[str, int], round_: Round) -> tuple[int, int]:
    """The payout of the round's last bet, by the rules and by the reading, in cents."""
    [*_others, was] = judged(round_).grades
    changed = rules_by_reading(key)[round_.rules]
    [*_others, now] = changed.judge(round_, None).grades
    return was.payout_cents, now.payout_cents


def at_baccarat(kind: str, cards: str) -> Round:
    """Ten euros on a bet at baccarat."""
    return dealt(cards, side(kind), rules=BACCARAT)


def at_blackjack(kind: str, cards: str, *, rules: str = BLACKJACK) -> Round:
    """Ten euros on a side bet, beside a main bet that stands."""
    bets: tuple[Bet, ...] = (bet("main", play="S"), bet(kind))
    return dealt(cards, *bets, rules=rules)


@pytest.mark.parametrize(
    ("key", "round_", "expected"),
    [
        ("tie-nine-for-one", at_baccarat("tie", _TIE), (9_000, 10_000)),
        ("tie-nine-for-one", at_baccarat("tie", _PLAYER_WINS), (0, 0)),
        ("tie-nine-for-one", at_baccarat("player", _TIE), (1_000, 1_000)),
        ("banker-commission", at_baccarat("banker", _BANKER_WINS), (1_950, 1_900)),
        ("banker-commission", at_baccarat("banker", _TIE), (1_000, 1_000)),
        (
            "perfect-pair-paid-once",
            at_baccarat("perfect_pair", _TWO_PERFECT_PAIRS),
            (26_000, 51_000),
        ),
        (
            "perfect-pair-paid-once",
            at_baccarat("perfect_pair", _ONE_PERFECT_PAIR),
            (26_000, 26_000),
        ),
        ("perfect-pair-paid-once", at_baccarat("either_pair", _TWO_PERFECT_PAIRS), (6_000, 6_000)),
        ("rank-or-value", at_blackjack("perfect_pairs", _TEN_VALUES), (0, 26_000)),
        ("rank-or-value", at_blackjack("21+3", _THREE_TENS), (0, 31_000)),
        ("rank-or-value", at_blackjack("21+3", _STRAIGHT), (11_000, 11_000)),
        ("rank-or-value", at_baccarat("player_pair", _FIGURES), (0, 12_000)),
        ("rank-or-value", at_baccarat("perfect_pair", _FIGURES), (0, 0)),
        ("rank-or-value", at_baccarat("banker_pair", _FIGURES), (0, 0)),
        ("straight-ace", at_blackjack("21+3", _KING_ACE_TWO), (0, 11_000)),
        ("different-suits", at_blackjack("21+3", _TWO_OF_ONE_SUIT), (11_000, 0)),
    ],
)
def test_pays_as_the_register_says(key: str, round_: Round, expected: tuple[int, int]) -> None:
    """In cents, on ten euros."""
    index = 2 if key == "straight-ace" else 1

    assert paid((key, index), round_) == expected


def test_adds_the_stake_to_the_prize_of_the_bonus() -> None:
    """A total of 202 pays 2,020.00 on ten euros, with the stake; otherwise 2,030.00."""
    lines = (CLONE / "tests/golden/mega-fire-blaze.ndjson").read_text().splitlines()
    [line] = [line for line in lines if '"round":"mfb-3-20261113-003045"' in line]
    round_ = parse_document(json.loads(line))
    assert isinstance(round_, Round)

    changed = rules_by_reading(("bonus-prize-with-stake", 1))[round_.rules]

    was, now = judged(round_).grades, changed.judge(round_, None).grades
    paid_by_bet = {
        bet.id: (one.payout_cents, other.payout_cents)
        for bet, one, other in zip(round_.bets, was, now, strict=True)
    }
    assert paid_by_bet["b5"] == (202_000, 203_000)
    assert paid_by_bet["b8"] == (10_100, 10_150)
    assert all(
        one == other for name, (one, other) in paid_by_bet.items() if name not in {"b5", "b8"}
    )


def test_every_reading_is_one_of_the_register() -> None:
    """And not the adopted one."""
    for key, index in known_readings():
        assert 0 < index < len(REGISTER[key].readings)
