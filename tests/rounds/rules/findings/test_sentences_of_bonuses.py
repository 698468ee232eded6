"""The sentences about a bonus that is wrong, and about multiplier cards."""

from typing import Any, Final

import pytest

from rounds.rules.findings.held_round_fault import Finding
from tests.rounds.contract.by_hand import MFB, QB, Document, bet, bonus
from tests.rounds.rules.findings.finding_cases import (
    BOTH,
    EIGHTEEN,
    PLAIN,
    SIX_POINTS,
    findings,
    texts_of,
)

_FULL: Final = "1:1 2:1 3:1 4:1 5:1 6:1"
"""All six cells of the level Minor, or the first section of another level."""
_FULL_SECOND: Final = "7:1 8:1 9:1 10:1 11:1 12:1"
_OVER: Final = ("", "", "")
"""Three empty spins, with which a bonus ends."""
_WRONG_GRIDS: Final[list[tuple[Document, str]]] = [
    (
        bonus("minor", "2", *_OVER, ""),
        "Spin 4 was played; the bonus was over after spin 3.",
    ),
    (
        bonus("minor", "6", _FULL, ""),
        "Spin 2 was played; the bonus was over after spin 1.",
    ),
    (
        bonus("minor", "2", "1:2"),
        "The bonus ended with 0 empty spins; it ends after 3 or with a full grid.",
    ),
    (
        bonus("minor", "2", "1:2", ""),
        "The bonus ended with 1 empty spins; it ends after 3 or with a full grid.",
    ),
    (
        bonus("minor", "2", "1:2", "", ""),
        "The bonus ended with 2 empty spins; it ends after 3 or with a full grid.",
    ),
    (
        bonus("minor", "2", "0:2", *_OVER),
        "Spin 1 filled cell 0; the level Minor has cells 1 to 6.",
    ),
    (
        bonus("minor", "4", "6:2", "7:2", *_OVER),
        "Spin 2 filled cell 7; the level Minor has cells 1 to 6.",
    ),
    (
        bonus("minor", "4", "1:2", "1:2", *_OVER),
        "Spin 2 filled cell 1 again: 2 times instead of 1.",
    ),
    (
        bonus("major", "4", "1:4", *_OVER),
        "Spin 1 filled cell 1 with 4; the level Major allows 1, 2, 5, 10.",
    ),
    (
        bonus("mini", "3", "1:5", *_OVER, s0={"boost": "2"}),
        "A special was revealed in section 0; the level Mini has sections 1 to 2.",
    ),
    (
        bonus("mini", "3", "1:5", *_OVER, s3={"boost": "2"}),
        "A special was revealed in section 3; the level Mini has sections 1 to 2.",
    ),
    (
        bonus("mini", "3", "1:5", *_OVER, s1={"boost": "2"}),
        "Section 1 revealed a special with 1 cells filled; it requires 6.",
    ),
    (
        bonus("mini", "6", _FULL, *_OVER, s1={"boost": "3"}),
        "Section 1 revealed boost 3; the level Mini allows boost 2.",
    ),
    (
        bonus("mini", "6", _FULL_SECOND, *_OVER, s2={"star": "5"}),
        "Section 2 revealed star 5; the level Mini allows star 10, star 20.",
    ),
    (
        bonus("minor", "6", _FULL, s1={"star": "10"}),
        "Section 1 revealed star 10; the level Minor allows \u2013.",
    ),
    (
        bonus("minor", "1", "1:1", *_OVER),
        "The grid totals 1; the level Minor pays at least 2.",
    ),
    (
        bonus("minor", "7", _FULL),
        "The studio announced a multiplier of 7; the grid totals 6.",
    ),
    (
        bonus("mini", "12", f"{_FULL} {_FULL_SECOND}", s1={"boost": "2"}, s2={"star": "20"}),
        "The studio announced a multiplier of 12; the grid totals 38.",
    ),
]


def _found(code: str, text: str, *bets: Document, **fields: Any) -> tuple[Finding, ...]:
    """The findings with this code."""
    return tuple([each for each in findings(text, PLAIN, *bets, **fields) if each.code == code])


@pytest.mark.parametrize(("played", "words"), _WRONG_GRIDS)
def test_a_wrong_grid_has_the_sentence_of_its_first_fault(played: Document, words: str) -> None:
    """[MFB] Mega Fire Blaze Bonus: sections of six cells, three spins, values by level."""
    assert texts_of(_found("bonus-grid", SIX_POINTS, rules=MFB, bonus=played)) == [words]


def test_a_bonus_without_enough_points_names_the_least_that_earn_one() -> None:
    """Both boxes and the dealer have eighteen: no points, where the lowest level needs five."""
    played = bonus("minor", "2", "1:2", *_OVER)

    assert texts_of(_found("bonus-unearned", BOTH, rules=MFB, bonus=played)) == [
        "The bonus Minor was played; the round has 0 points, and a bonus requires at least 5."
    ]


def test_a_missing_bonus_names_only_the_bets_on_it() -> None:
    """Not the other side bets, whose names come before and after its own."""
    bets = [
        bet(f"b{number}", kind, "1.00")
        for number, kind in enumerate(("dealer_pair", "mega_fire_blaze", "player_pair"), start=2)
    ]

    [missing] = _found("bonus-missing", SIX_POINTS, *bets, rules=MFB)

    assert missing.bets == (2,)


def test_a_multiplier_card_of_another_value_is_named_with_the_values_of_the_game() -> None:
    """[QB] Carte moltiplicatrici: 2.5, 3, 5 or 10."""
    multipliers = {"QS": "5", "QH": "4", "QD": "10"}

    assert texts_of(_found("multiplier-cards", EIGHTEEN, rules=QB, multipliers=multipliers)) == [
        "Q♥ multiplies by 4; the game allows 2.5, 3, 5, 10."
    ]
