"""The definition of a rule set: complete, deterministic, without explanatory texts."""

import hashlib
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import NamedTuple

import pytest

from rounds.rules.blackjack.games.live_blackjack import BLACKJACK_1, GAME
from rounds.rules.catalogue import RULE_SETS, catalogue_of
from rounds.rules.citation import Citation
from rounds.rules.definition import declared_fields, definition_of
from rounds.rules.odds import Odds


class Mood(Enum):
    """A choice between two."""

    CALM = "calm"
    WILD = "wild"


class Side(NamedTuple):
    """A declaration with a default."""

    kind: str
    lost: str = "lost"


@dataclass(frozen=True, slots=True)
class Game:
    """A declaration with a field that was added later."""

    decks: int
    mood: Mood
    surrender: bool = False


def always(_card: str) -> bool:
    """A small rule of a game."""
    return True


class TestADefinition:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            (None, "none"),
            (True, "yes"),
            (False, "no"),
            (0, "0"),
            ("21+3", "21+3"),
            (date(2026, 1, 1), "2026-01-01"),
            (Odds(19, 20), "19:20"),
            (Mood.WILD, "WILD"),
            (always, "always"),
            ((2, 6), "2, 6"),
            ((), "none"),
            (frozenset({"10", "2", "x"}), "2, 10, x"),
            (frozenset(), "none"),
            ({}, "none"),
        ],
    )
    def test_writes_a_plain_value_after_its_name(self, value: object, written: str) -> None:
        """Sets in sorted order."""
        assert definition_of({"field": value}) == f"field: {written}\n"

    def test_writes_parts_on_separate_lines(self) -> None:
        """Mappings by key, sequences by number, declarations in field order."""
        text = definition_of(
            {
                "game": Game(8, Mood.CALM),
                "pays": {"b": Odds(2, 1), "a": Odds(1, 1)},
                "sides": (Side("pair"), Side("trips", "gone")),
            }
        )

        assert text.splitlines() == [
            "game:",
            "  decks: 8",
            "  mood: CALM",
            "pays:",
            "  a: 1:1",
            "  b: 2:1",
            "sides:",
            "  1:",
            "    kind: pair",
            "  2:",
            "    kind: trips",
            "    lost: gone",
        ]

    def test_leaves_out_a_field_that_has_its_default(self) -> None:
        """So a field can be added for a new game without changing released definitions."""
        assert declared_fields(Game(8, Mood.CALM)) == {"decks": 8, "mood": Mood.CALM}
        assert declared_fields(Game(8, Mood.CALM, surrender=True))["surrender"] is True

    def test_raises_type_error_for_a_value_without_definite_text(self) -> None:
        """The text of such an object may contain a memory address."""
        with pytest.raises(TypeError, match="no definite text"):
            definition_of({"field": object()})


class TestTheDigest:
    @pytest.mark.parametrize("name", RULE_SETS)
    def test_is_the_sha256_of_the_definition(self, name: str) -> None:
        """It can be checked with sha256sum."""
        rules = RULE_SETS[name]

        assert rules.digest == hashlib.sha256(rules.definition.encode()).digest()
        assert rules.definition.startswith(f"name: {name}\nsheet: {rules.sheet}\n")

    def test_does_not_depend_on_explanatory_texts(self) -> None:
        """A title, a summary, a link to the register."""
        win = BLACKJACK_1.citations["win"]
        explained = {
            **BLACKJACK_1.citations,
            "win": win._replace(title="Won", summary="Won.", rests_on=("dealing-order",)),
        }

        reworded = replace(BLACKJACK_1, citations=explained, game="Black Jack", ambiguities=())

        assert reworded.digest == BLACKJACK_1.digest

    @pytest.mark.parametrize(
        "changed",
        [
            replace(BLACKJACK_1, decks=6),
            replace(BLACKJACK_1, in_force_from=date(2026, 1, 2)),
            replace(BLACKJACK_1, bet_kinds=("main",)),
            replace(BLACKJACK_1, declaration=replace(GAME, hits_soft_17=True)),
            replace(BLACKJACK_1, declaration=replace(GAME, blackjack_pays=Odds(6, 5))),
            replace(
                BLACKJACK_1,
                citations={
                    **BLACKJACK_1.citations,
                    "win": Citation("BJ", "Risultato", "Winning hand: 1:1", "It pays 1:1."),
                },
            ),
        ],
        ids=["decks", "day", "kinds", "soft 17", "odds", "heading"],
    )
    def test_depends_on_every_defining_value(self, changed: object) -> None:
        """One value other than declared is another rule set."""
        assert getattr(changed, "digest", None) != BLACKJACK_1.digest


class TestACatalogue:
    def test_rejects_two_rule_sets_of_one_name(self) -> None:
        """The second would hide the first."""
        with pytest.raises(ValueError, match="same name"):
            catalogue_of(BLACKJACK_1, replace(BLACKJACK_1, decks=6))
