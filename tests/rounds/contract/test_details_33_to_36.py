"""Contract, "Shoes": details 33 to 36, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    BAC,
    MFB,
    NATURAL,
    QB,
    WINS,
    ZAP,
    Document,
    bet,
    coup,
    deal,
    left,
    replay,
    shoe,
    verdict_of,
)


def round_at(drawn: int, name: str, text: str = NATURAL, **fields: object) -> Document:
    """A baccarat round of the announced shoe."""
    others = {"round": name, "shoe": {"id": "s-1", "drawn": drawn}} | fields
    return deal(text, coup("b1", "player"), rules=BAC, **others)


def answers(*output: Document | bytes) -> list[str]:
    """The anomalies of each held result, the status of each other one."""
    return [
        " ".join(result["anomalies"]) if result["status"] == "held" else str(result["status"])
        for result in replay(*output)
    ]


class TestDetail33WhereAShoeStarts:
    """After its burnt cards; if it was not announced, where its first round begins."""

    @pytest.mark.parametrize(
        ("drawn", "code"), [(11, "settled"), (10, "shoe-gap"), (12, "shoe-gap"), (0, "shoe-gap")]
    )
    def test_is_after_all_burnt_cards(self, drawn: int, code: str) -> None:
        """A king face up, ten face down."""
        assert answers(shoe("KH", face_down=10), round_at(drawn, "r-1")) == [code]

    def test_may_be_the_first_card(self) -> None:
        """No card is burnt."""
        assert answers(shoe(), round_at(0, "r-1")) == ["settled"]

    def test_is_anywhere_if_not_announced(self) -> None:
        """From its first round on the position is checked."""
        feed = [round_at(300, "r-1"), round_at(304, "r-2"), round_at(300, "r-3")]

        assert answers(*feed) == ["settled", "settled", "shoe-gap"]

    def test_is_tracked_for_each_shoe_id(self) -> None:
        """Two shoes in turn; neither table nor game matters."""
        other: Document = {"shoe": {"id": "s-2", "drawn": 7}}
        later: Document = {"shoe": {"id": "s-2", "drawn": 11}, "table": "t-2"}

        feed = [
            shoe("5H", face_down=5),
            round_at(6, "r-1"),
            round_at(0, "r-2", **other),
            round_at(10, "r-3"),
            round_at(0, "r-4", **later),
            deal(WINS, bet("b1"), round="r-5", shoe={"id": "s-2", "drawn": 15}),
        ]

        assert answers(*feed) == ["settled"] * 5


class TestDetail34HowAShoeMoves:
    """To the end of every round, unless the round was rejected."""

    def test_by_held_void_and_differing_rounds(self) -> None:
        """An extra card counts; each round begins where the previous one ended."""
        wrong_report = coup("b1", "player", reported="0.00")
        feed = [
            shoe("5H", face_down=5),
            round_at(6, "r-1", f"{NATURAL} P:2C"),
            round_at(11, "r-2", incident="malfunction"),
            round_at(15, "r-3", bets=[wrong_report]),
            round_at(19, "r-4"),
            round_at(40, "r-5"),
            round_at(44, "r-6"),
        ]

        assert answers(*feed) == [
            *("extra-card", "void", "payout-differs", "settled", "shoe-gap", "settled"),
        ]

    def test_not_by_rejected_rounds(self) -> None:
        """A wrong type, broken JSON, a repeated id."""
        feed: list[Document | bytes] = [
            round_at(6, "r-1"),
            round_at(10, "r-2", session=None),
            b'{"feed": "round/1", "round": "r-3"',
            round_at(10, "r-1"),
            round_at(10, "r-4"),
        ]

        assert answers(*feed) == ["settled", "rejected", "rejected", "rejected", "settled"]

    def test_not_by_off_line_cards(self) -> None:
        """Four live cards, three off line; the next round begins four later."""
        disconnect = left(seen=3, own="D:7C 1:2C 1:3C")
        first = deal(
            "1:2S D:TD 1:5C D:8C",
            bet("b1", play="HH"),
            rules=QB,
            disconnects=[disconnect],
            shoe={"id": "s", "drawn": 30},
        )
        second = deal(WINS, bet("b1"), rules=QB, round="r-2", shoe={"id": "s", "drawn": 34})

        assert answers(first, second) == ["settled", "settled"]


class TestDetail35Copies:
    """At most as many as the decks hold, within a round and within its shoe."""

    NINES = "P:9H B:9H P:9H B:9H"  # a tie of eights, four nines of hearts

    def test_include_burnt_cards(self) -> None:
        """Eight decks: four burnt and four dealt are allowed, a fifth burnt is not."""
        assert answers(shoe(*["9H"] * 4), round_at(4, "r-1", self.NINES)) == ["settled"]
        assert answers(shoe(*["9H"] * 5), round_at(5, "r-1", self.NINES)) == ["too-many-copies"]

    def test_hold_only_rounds_with_an_excess_card(self) -> None:
        """Nine burnt: a round without nines of hearts is settled, one with a nine is held."""
        feed = [
            shoe(*["9H"] * 9),
            round_at(9, "r-1"),
            round_at(13, "r-2", "P:9H B:7H P:TD B:TC"),
            round_at(17, "r-3"),
        ]

        assert answers(*feed) == ["settled", "too-many-copies", "settled"]

    def test_include_void_and_held_rounds(self) -> None:
        """Four void, four held for a gap, then the ninth."""
        feed = [
            round_at(0, "r-1", self.NINES, incident="malfunction"),
            round_at(9, "r-2", self.NINES),
            round_at(13, "r-3", "P:9H B:7H P:TD B:TC"),
        ]

        assert answers(*feed) == ["void", "shoe-gap", "too-many-copies"]

    def test_and_a_gap_are_reported_together(self) -> None:
        """Both codes."""
        feed = [shoe(*["9H"] * 8), round_at(9, "r-1", self.NINES)]

        assert answers(*feed) == ["shoe-gap too-many-copies"]

    @pytest.mark.parametrize(("rules", "decks"), [(ZAP, 6), (QB, 6), (MFB, 8)])
    def test_exclude_off_line_cards(self, rules: str, decks: int) -> None:
        """Mega Fire Blaze has eight decks, the others six; a hand of twos of spades."""
        opening = "1:2S 2:9C D:TD 1:2S 2:9D D:8C" if rules == MFB else "1:2S D:TD 1:2S D:8C"
        seen = 6 if rules == MFB else 4

        def hits(count: int) -> str:
            return " ".join(["1:2S"] * count)

        most = decks - 2
        live = bet("b1", play="H" * most)
        assert verdict_of(f"{opening} {hits(most)}", live, rules=rules) == "settled"
        more = bet("b1", play="H" * (most + 1))
        assert verdict_of(f"{opening} {hits(most + 1)}", more, rules=rules) == "too-many-copies"
        if rules != ZAP:
            disconnect = left(seen=seen, own=hits(most + 1))
            assert verdict_of(opening, more, rules=rules, disconnects=[disconnect]) == "settled"


class TestDetail36WhatIsNotChecked:
    """The number of burnt cards, the length of a shoe and its table."""

    def test_is_the_number_of_burnt_cards(self) -> None:
        """A five and three face down; two face up; none at all."""
        for opened, drawn in ((shoe("5H", face_down=3), 4), (shoe("5H", "6H"), 2), (shoe(), 0)):
            assert answers(opened, round_at(drawn, "r-1")) == ["settled"]

    def test_is_the_length_of_the_shoe_or_its_table(self) -> None:
        """A shoe of 416 cards is at 5,000, on another table."""
        assert answers(round_at(5_000, "r-1", table="t-7")) == ["settled"]

    def test_is_a_repeated_announcement_which_resets_the_shoe(self) -> None:
        """Position and copies start again."""
        nines = TestDetail35Copies.NINES
        feed = [
            shoe(*["9H"] * 4),
            round_at(4, "r-1", nines),
            shoe(*["9H"] * 4),
            round_at(4, "r-2", nines),
            shoe(),
            round_at(8, "r-3"),
        ]

        assert answers(*feed) == ["settled", "settled", "shoe-gap"]
