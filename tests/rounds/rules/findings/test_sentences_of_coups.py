"""The sentences of the findings of a coup, also where one fault has several."""

from typing import Final

import pytest

from tests.rounds.contract.by_hand import BAC, coup
from tests.rounds.rules.findings.finding_cases import findings, texts_of

_FIRST_COME: Final = (
    "first come two cards for each hand (2), then the Player's third card, then the Banker's."
)
_COUPS: Final = [
    (
        "P:2S B:4D P:3C",
        ["Banker: 1 cards were dealt; a hand starts with 2."],
        [((), "B")],
    ),
    (
        "B:4D B:2C",
        ["Player: 0 cards were dealt; a hand starts with 2."],
        [((), "P")],
    ),
    (
        "P:2S B:4D P:3C B:3D P:4H P:5C",
        [
            "Player has 5♣ in addition to 3 cards, the maximum of a hand.",
            f"5♣ was dealt as card 6; {_FIRST_COME}",
        ],
        [((5,), None)] * 2,
    ),
    (
        "P:9S B:4D P:TC B:3D D:5H",
        [
            "5♥ was dealt to Dealer; baccarat has 2 hands, Player and Banker.",
            f"5♥ was dealt as card 5; {_FIRST_COME}",
        ],
        [((4,), None)] * 2,
    ),
    (
        "P:4S B:5D P:2C B:2D P:7H",
        ["Player drew a third card 7♥ on 6; it must stand."],
        [((4,), None)],
    ),
    (
        "P:5S B:4D P:4C B:2D P:7H",
        ["Player drew a third card 7♥ although a hand had a natural (9); it must stand."],
        [((4,), None)],
    ),
    (
        "P:2S P:3C P:4H B:3D B:4D",
        [f"4♥ was dealt as card 3; {_FIRST_COME}"],
        [((2,), None)],
    ),
    (
        "P:2S B:2D P:3C B:3D B:4H P:7C",
        [f"7♣ was dealt as card 6; {_FIRST_COME}"],
        [((5,), None)],
    ),
]


@pytest.mark.parametrize(("dealt", "sentences", "where"), _COUPS)
def test_a_wrong_coup_has_its_sentences(
    dealt: str, sentences: list[str], where: list[tuple[tuple[int, ...], str | None]]
) -> None:
    """With the cards that are too many, or the hand that lacks one."""
    found = findings(dealt, coup("b1", "tie"), rules=BAC)

    assert texts_of(found) == sentences
    assert [(finding.cards, finding.lacks) for finding in found] == where
