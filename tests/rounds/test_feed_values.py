"""Texts, amounts, times and cards of the feed."""

import pytest

from rounds.feed import document_of_shoe, parse_document
from rounds.rules.facts import Round
from tests.rounds.feed_documents import SHOE, document, error_of, with_bet


class TestAText:
    """Ids and names."""

    @pytest.mark.parametrize("value", ["", "\ud800", "nul\0", 1, None, ["p"]])
    @pytest.mark.parametrize("field", ["id", "player", "participation"])
    def test_that_is_invalid_is_refused(self, field: str, value: object) -> None:
        """Empty texts, and what PostgreSQL cannot store."""
        assert error_of(with_bet(**{field: value})).field == f"bets[0].{field}"

    def test_of_any_characters_is_taken(self) -> None:
        """The contract sets no format for names."""
        output = parse_document(with_bet(player="é\n\U0001f0a1"))

        assert isinstance(output, Round)
        assert output.bets[0].player == "é\n\U0001f0a1"

    @pytest.mark.parametrize("value", ["", "x" * 65, "a b", "ü", "a\nb", "r\n", "round/1", 7, None])
    def test_that_is_no_round_id_is_refused(self, value: object) -> None:
        """Contract, "A round": 1 to 64 of few characters."""
        assert error_of(document(round=value)).field == "round"

    def test_of_64_characters_is_a_round_id(self) -> None:
        """All characters that it may have."""
        name = "AZaz09._:-" + "x" * 54

        output = parse_document(document(round=name))

        assert isinstance(output, Round)
        assert output.round == name


class TestAnAmount:
    """Detail 4."""

    @pytest.mark.parametrize(
        ("text", "cents"),
        [
            ("10", 1000),
            ("10.5", 1050),
            ("10.05", 1005),
            ("0.01", 1),
            ("999999999999.99", 10**14 - 1),
        ],
    )
    def test_is_read_to_the_cent(self, text: str, cents: int) -> None:
        """Up to twelve digits of euro and two decimals."""
        output = parse_document(with_bet(stake=text))

        assert isinstance(output, Round)
        assert output.bets[0].stake_cents == cents

    @pytest.mark.parametrize(
        "value",
        [
            "01",
            "-1",
            "+1",
            "1.",
            ".5",
            "1.234",
            "1e2",
            "1 ",
            "\u0661",
            "1" * 13,
            "",
            10,
            1.5,
            None,
            True,
            [],
            {},
        ],
    )
    def test_of_another_form_is_refused(self, value: object) -> None:
        """Also the digits of other scripts, and numbers that are no text."""
        assert error_of(with_bet(stake=value)).field == "bets[0].stake"

    @pytest.mark.parametrize("text", ["0", "0.0", "0.00"])
    def test_of_nothing_is_no_stake(self, text: str) -> None:
        """Stakes are positive; reported payouts may be zero."""
        assert error_of(with_bet(stake=text)).needed == "more than nothing"
        assert isinstance(parse_document(with_bet(reported=text)), Round)


class TestATime:
    """Detail 5."""

    @pytest.mark.parametrize(
        "value",
        [
            "yesterday",
            "2026-11-21T10:00:05",
            "2026-11-21T10:00:05+00:00",
            "2026-11-21 10:00:05Z",
            "2026-11-21T10:00:05.Z",
            "2026-11-21T10:00:05.1234Z",
            "2026-11-21T10:00:60Z",
            "2026-11-21T24:00:00Z",
            "2026-02-30T10:00:00Z",
            "0000-01-01T00:00:00Z",
            "2026-11-21T10:00:05z",
            "2026-11-21T10:00:05Z\n",
            "\u0662026-11-21T10:00:05Z",
            1795255205,
            None,
            [],
            {},
        ],
    )
    def test_of_another_form_is_refused(self, value: object) -> None:
        """And so is a day that no calendar has."""
        assert error_of(with_bet(placed_at=value)).field == "bets[0].placed_at"

    def test_of_opening_is_not_after_closing_nor_closing_after_the_end(self) -> None:
        """Opened ≤ closed ≤ ended; all three may be one moment."""
        early, late = "2026-11-21T09:00:00Z", "2026-11-21T11:00:00Z"

        assert error_of(document(opened_at=late)).field == "closed_at"
        assert error_of(document(ended_at=early)).field == "ended_at"
        assert isinstance(
            parse_document(document(opened_at=early, closed_at=early, ended_at=early)), Round
        )


class TestCards:
    """Contract, "Cards"."""

    @pytest.mark.parametrize(
        "pair",
        [["1", "1S"], ["1", "AX"], ["1", "10S"], ["8", "AS"], ["1c", "AS"], ["0", "AS"],
         ["d", "AS"], ["1"], ["1", "AS", "x"], [1, "AS"], [["1"], "AS"], "1A", {"1": 0, "AS": 0},
         None, 7],
    )  # fmt: skip
    def test_of_no_such_place_or_rank_are_refused(self, pair: object) -> None:
        """The error has the index of the pair."""
        assert error_of(document(cards=[["D", "AS"], pair])).field == "cards[1]"

    def test_are_a_list(self) -> None:
        """Of pairs."""
        assert error_of(document(cards={"1": "AS"})).field == "cards"

    def test_without_place_and_card_is_named_as_an_empty_list(self) -> None:
        """The error says what was found."""
        assert error_of(document(cards=[[]])).found == "a list of 0"

    @pytest.mark.parametrize("card", ["1S", "as", 5, None, ["5H"]])
    def test_burnt_are_cards_without_a_place(self, card: object) -> None:
        """Contract, "A shoe"."""
        assert error_of(document_of_shoe(SHOE) | {"burnt": ["5H", card]}).field == "burnt[1]"

    @pytest.mark.parametrize("count", ["5", -1, 1.0, True, None, 2**31, []])
    def test_are_counted_in_integers(self, count: object) -> None:
        """Detail 3: no decimals, no booleans, no impossible numbers."""
        shoe = document_of_shoe(SHOE)

        assert error_of(shoe | {"burnt_face_down": count}).field == "burnt_face_down"
        assert error_of(document(shoe={"id": "s", "drawn": count})).field == "shoe.drawn"
