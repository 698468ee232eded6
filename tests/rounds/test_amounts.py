"""Amounts as people type them: in Italian, in English, or copied from a cell."""

import pytest

from rounds.amounts import parse_amount, parse_unambiguous_amount


class TestAnAmount:
    @pytest.mark.parametrize(
        ("text", "cents"),
        [
            ("210", 21_000),
            ("210,00", 21_000),
            ("210.00", 21_000),
            ("€ 210", 21_000),
            ("€210.5", 21_050),
            ("210,50 €", 21_050),
            ("210\N{NO-BREAK SPACE}€", 21_000),
            ("eur 210", 21_000),
            (" 0,05 ", 5),
            ("1.234", 123_400),
            ("1,234", 123_400),
            ("1.234,56", 123_456),
            ("1,234.56", 123_456),
            ("1 234,56", 123_456),
            ("1'234.56", 123_456),
            ("12.345.678,90", 1_234_567_890),
            ("12,345,678.90", 1_234_567_890),
        ],
    )
    def test_is_read_in_italian_and_in_english(self, text: str, cents: int) -> None:
        """A separator before three digits groups thousands; before one or two it is decimal."""
        assert parse_amount(text) == cents

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "€",
            "abc",
            "-5",
            "1.23.45",
            "1.234.56",
            "1,23,456",
            "12.3456",
            "1.234,567",
            "²",
            "1" * 16,
        ],
    )
    def test_is_rejected_if_ambiguous(self, text: str) -> None:
        """Ambiguous texts are no amount."""
        assert parse_amount(text) is None


class TestATextThatMayBeAnId:
    @pytest.mark.parametrize("text", ["€ 210", "210€", "210,00", "210.00", "1.234,50"])
    def test_is_an_amount_with_the_sign_of_the_euro_or_two_decimals(self, text: str) -> None:
        """Ids have neither."""
        assert parse_unambiguous_amount(text) == parse_amount(text) is not None

    @pytest.mark.parametrize("text", ["210", "1.234", "12.5", "N-210", "#21:10:10", "p-1"])
    def test_is_an_id_without(self, text: str) -> None:
        """Studios may number their rounds."""
        assert parse_unambiguous_amount(text) is None
