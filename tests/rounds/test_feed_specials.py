"""Multiplier cards, bonus, disconnects and incidents of the feed."""

import pytest

from tests.rounds.feed_documents import Document, document, error_of
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM


class TestMultiplierCards:
    """Contract, ``multipliers``, and detail 12."""

    @pytest.mark.parametrize("value", [None, [], "6S", {"6X": "5"}, {"6S": 5}, {"6S": None}])
    def test_are_cards_with_values_in_text(self, value: object) -> None:
        """Which values are legal is for the rules."""
        assert error_of(document(QUANTUM, multipliers=value)).field.startswith("multipliers")


class TestABonus:
    """Contract, "The Mega Fire Blaze bonus", and detail 11."""

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("bonus.level", {"level": "giant"}),
            ("bonus.level", {"level": None}),
            ("bonus.spins", {"spins": None}),
            ("bonus.spins[1]", {"spins": [[], {}]}),
            ("bonus.spins[0]", {"spins": [[[1]]]}),
            ("bonus.spins[0]", {"spins": [["12"]]}),
            ("bonus.spins[0]", {"spins": [[["1", "2"]]]}),
            ("bonus.spins[0]", {"spins": [[[1.0, "2"]]]}),
            ("bonus.spins[0]", {"spins": [[[True, "2"]]]}),
            ("bonus.spins[0]", {"spins": [[[1, 2]]]}),
            ("bonus.spins[0]", {"spins": [[[1, "02"]]]}),
            ("bonus.spins[0]", {"spins": [[[1, "1000000"]]]}),
            ("bonus.multiplier", {"multiplier": 8}),
            ("bonus.multiplier", {"multiplier": "8.0"}),
            ("bonus.multiplier", {"multiplier": "\u0668"}),
            ("bonus.specials", {"specials": []}),
            ("bonus.specials", {"specials": {"x": {"boost": "2"}}}),
            ("bonus.specials.1", {"specials": {"1": {}}}),
            ("bonus.specials.1", {"specials": {"1": {"boost": "2", "star": "10"}}}),
            ("bonus.specials.1", {"specials": {"1": {"boosts": "2"}}}),
            ("bonus.specials.1", {"specials": {"1": "2"}}),
            ("bonus.specials.1.star", {"specials": {"1": {"star": 10}}}),
            ("bonus.cells", {"cells": 6}),
        ],
    )
    def test_of_another_form_is_refused(self, field: str, value: Document) -> None:
        """The path leads to what is wrong."""
        played = {"level": "minor", "spins": [[], [], []], "multiplier": "2"} | value

        assert error_of(document(MEGA_FIRE_BLAZE, bonus=played)).field == field

    def test_is_an_object(self) -> None:
        """Wrong types are rejected."""
        assert error_of(document(MEGA_FIRE_BLAZE, bonus=None)).field == "bonus"


class TestADisconnect:
    """Contract, "A player who lost the connection", and detail 13."""

    AT = "2026-11-21T10:00:05Z"

    @pytest.mark.parametrize(
        ("field", "entry"),
        [
            ("disconnects[0].at", {"player": "p-1"}),
            ("disconnects[0].player", {"at": AT}),
            ("disconnects[0].cards_seen", {"player": "p-1", "at": AT, "cards_seen": 5}),
            ("disconnects[0].cards_seen", {"player": "p-1", "at": AT, "cards_seen": "4"}),
            ("disconnects[0].cards_seen", {"player": "p-1", "at": AT, "cards": [["1", "8H"]]}),
            (
                "disconnects[0].cards[0]",
                {"player": "p-1", "at": AT, "cards_seen": 4, "cards": ["8H"]},
            ),
            ("disconnects[0].reason", {"player": "p-1", "at": AT, "reason": "power"}),
            ("disconnects[0]", None),
        ],
    )
    def test_of_another_form_is_refused(self, field: str, entry: object) -> None:
        """There are four cards in the round; a fifth cannot have been seen."""
        assert error_of(document(disconnects=[entry])).field == field

    def test_comes_once_for_a_player(self) -> None:
        """Detail 13."""
        entry = {"player": "p-1", "at": self.AT}

        assert error_of(document(disconnects=[entry, entry])).field == "disconnects[1].player"

    def test_is_one_of_a_list(self) -> None:
        """Wrong types are rejected."""
        assert error_of(document(disconnects={})).field == "disconnects"


class TestAnIncident:
    """Contract, ``incident``."""

    @pytest.mark.parametrize("value", ["fire", "", None, True])
    def test_is_a_malfunction_or_absent(self, value: object) -> None:
        """Nothing else is known."""
        assert error_of(document(incident=value)).field == "incident"
