"""A rule set: one version of one game, as the rest of Sabot sees it."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final, NamedTuple, Protocol

from rounds.rules.citation import Citation
from rounds.rules.definition import declared_fields, definition_of
from rounds.rules.explained.explanation import Explain
from rounds.rules.facts import Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Verdict
from rounds.rules.void import DECISIONS


class Refusal(NamedTuple):
    """Why a document cannot be taken at this game: the field, its state, the state needed."""

    field: str
    found: str
    needed: str


class Judge(Protocol):
    """What a rule set says of a round."""

    def __call__(self, dealt: Round, shoe: Shoe | None, limits: Limits = NO_LIMITS, /) -> Verdict:
        """The verdict on a round, given its shoe as it was before it and its table's limits."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleSet:
    """One version of one game. Once released it never changes: a new rule is a new version.

    ``judge`` takes a round, the shoe as it was before it (None where there is none) and the stake
    limits of its table (none unless given), and gives the verdict. ``explain`` tells step by step
    why bets of a judged round pay what their grades say. ``find_refusal`` names what
    makes a round's document unacceptable at this game beyond what its fields show one by one,
    None for a sound one.
    """

    name: str
    """``"blackjack/1"``: the feed's ``rules``."""
    game: str
    sheet: str
    decks: int
    boxes: int
    """How many boxes the table has, 0 at baccarat."""
    bet_kinds: tuple[str, ...]
    in_force_from: date
    uses_shoe: bool
    """False where the cards are shuffled anew for every round."""
    citations: Mapping[str, Citation]
    """The rules that decide bets; ``Grade.reasons`` of a verdict are keys of it."""
    declaration: object
    """What the engine settles by: a dataclass of numbers, odds, names and small functions."""
    judge: Judge
    explain: Explain
    find_refusal: Callable[[Round], Refusal | None]
    raisable_kinds: frozenset[str] = frozenset()
    """Kinds that carry a ``play`` and a ``raised``."""
    golden_kinds: frozenset[str] = frozenset()
    """Kinds that golden chips may fund."""
    bets_behind: bool = False
    multiplier_cards: bool = False
    bonus_levels: tuple[str, ...] = ()
    """Levels of the bonus game, none where the game has no bonus."""
    ambiguities: tuple[str, ...] = ()
    """Keys of the ambiguity register on which the game rests as a whole, not one of its rules."""

    @property
    def reasons(self) -> Mapping[str, Citation]:
        """What any bet can be settled by: the rules, and decisions, which are no rules."""
        return {**self.citations, **DECISIONS}

    @property
    def definition(self) -> str:
        """All that the rule set declares, as text; what only explains is left out.

        How the code acts on it is no part of the text. That is pinned by the verdicts on a fixed
        feed, sealed with the text when the rule set is released.
        """
        return _definition_of(self)

    @property
    def digest(self) -> bytes:
        """SHA-256 of the definition, 32 bytes: stored with every round and every settlement."""
        return _digest_of(self)


_NOT_DEFINING: Final = frozenset(
    {"game", "ambiguities", "judge", "explain", "find_refusal", "citations"}
)
"""Texts and links that explain, and the code; of a citation only sheet and heading define."""


@cache
def _definition_of(rules: RuleSet) -> str:
    declared = declared_fields(rules)
    cited = {key: f"[{rule.sheet}] {rule.heading}" for key, rule in rules.citations.items()}
    defining = {name: value for name, value in declared.items() if name not in _NOT_DEFINING}
    return definition_of({**defining, "citations": cited})


@cache
def _digest_of(rules: RuleSet) -> bytes:
    return hashlib.sha256(_definition_of(rules).encode()).digest()
