"""[BAC] Regola della terza carta, as the correction form shows it."""

import pytest

from rounds.layouts.third_card_table import third_card_table


def dealt(cards: str) -> list[tuple[str, str]]:
    """Places and cards: ``P2S`` is a two of Player."""
    return [(card[0], card[1:]) for card in cards.split()]


def test_the_rows_are_those_of_the_sheet() -> None:
    """Equal rows are one: Banker always draws with up to two."""
    table = third_card_table([])

    assert [(row.totals, row.draws, row.stays) for row in table.rows] == [
        ((0, 1, 2), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ()),
        ((3,), (0, 1, 2, 3, 4, 5, 6, 7, 9), (8,)),
        ((4,), (2, 3, 4, 5, 6, 7), (0, 1, 8, 9)),
        ((5,), (4, 5, 6, 7), (0, 1, 2, 3, 8, 9)),
        ((6,), (6, 7), (0, 1, 2, 3, 4, 5, 8, 9)),
        ((7,), (), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
    ]


@pytest.mark.parametrize(
    ("cards", "totals", "third"),
    [
        ("P5D BTH PKH B3S P8C B9D", (3,), 8),
        ("P2D BAH PKH BKS PTC", (0, 1, 2), 0),
        ("P5D BTH PKH B6S P7C", (6,), 7),
    ],
)
def test_a_row_and_a_column_apply(cards: str, totals: tuple[int, ...], third: int) -> None:
    """Banker's first two cards and Player's third."""
    table = third_card_table(dealt(cards))

    assert [row.totals for row in table.rows if row.applies] == [totals]
    assert table.third_points == third


@pytest.mark.parametrize("cards", ["P5D BTH PKH", "P9D BTH PKH B3S P8C", "P6D BTH PKH B3S", ""])
def test_no_row_applies(cards: str) -> None:
    """Too few cards, a natural, or a Player who stays."""
    assert not any(row.applies for row in third_card_table(dealt(cards)).rows)
