"""Rule sets: one version of one game, as the rest of Sabot sees it."""

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
from rounds.rules.findings.held_round_fault import Findings
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Verdict
from rounds.rules.void import DECISIONS


class DocumentFault(NamedTuple):
    """Why a document is invalid at this game: the field, the value found, what is needed."""

    field: str
    found: str
    needed: str


FindFaults = Callable[[Round, Shoe | None, Limits], Findings]


class Judge(Protocol):
    """Computes the verdict on a round."""

    def __call__(self, dealt: Round, shoe: Shoe | None, limits: Limits = NO_LIMITS, /) -> Verdict:
        """The verdict on a round, given its shoe before the round and the limits of its table."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleSet:
    """One version of one game. A released rule set never changes: a new rule is a new version.

    ``judge`` computes the verdict on a round, from the shoe before it (None if there is none) and
    the stake limits of its table. ``explain`` explains the grades of a judged round step by step.
    ``find_faults`` details the anomalies of a held round. ``find_document_fault`` returns a fault
    of a document that no single field shows, None for a valid document.
    """

    name: str
    """``"blackjack/1"``: the feed's ``rules``."""
    game: str
    sheet: str
    decks: int
    boxes: int
    """The number of boxes of the table, 0 at baccarat."""
    bet_kinds: tuple[str, ...]
    in_force_from: date
    uses_shoe: bool
    """False if the cards are shuffled for every round."""
    citations: Mapping[str, Citation]
    """The rules that decide bets; ``Grade.reasons`` of a verdict are keys of it."""
    declaration: object
    """The rules in force: a dataclass of numbers, odds, names and small functions."""
    judge: Judge
    explain: Explain
    find_faults: FindFaults
    find_document_fault: Callable[[Round], DocumentFault | None]
    raisable_kinds: frozenset[str] = frozenset()
    """Kinds of bets on a hand, with a ``play`` and a ``raised``."""
    golden_kinds: frozenset[str] = frozenset()
    """Kinds that golden chips may fund."""
    bets_behind: bool = False
    multiplier_cards: bool = False
    bonus_levels: tuple[str, ...] = ()
    """Levels of the bonus game; empty for a game without a bonus."""
    ambiguities: tuple[str, ...] = ()
    """Keys of the ambiguity register that concern the game as a whole, not one of its rules."""

    def __post_init__(self) -> None:
        """Raises TypeError for a citation whose text has a placeholder without a figure."""
        for key, cited in self.citations.items():
            try:
                _ = (cited.title + cited.summary) % dict(cited.figures)
            except (KeyError, ValueError, TypeError) as fault:
                raise TypeError(
                    f"{self.name}: {key} cites {fault}, which is not declared"
                ) from None

    @property
    def reasons(self) -> Mapping[str, Citation]:
        """The citations of all reasons of grades: rules, and decisions of the operator."""
        return {**self.citations, **DECISIONS}

    @property
    def definition(self) -> str:
        """The declaration as text, without explanatory texts.

        The behaviour of the code is pinned separately, by the verdicts on a fixed feed that are
        sealed on release (``rounds.released_rules.rule_set_seals``).
        """
        return _definition_of(self)

    @property
    def digest(self) -> bytes:
        """SHA-256 of the definition, 32 bytes: stored with every round and every settlement."""
        return _digest_of(self)


_NOT_DEFINING: Final = frozenset(
    {
        *("game", "ambiguities", "citations"),
        *("judge", "explain", "find_faults", "find_document_fault"),
    }
)
"""Explanatory texts, and code. Of a citation only sheet and heading are part of the definition."""


@cache
def _definition_of(rules: RuleSet) -> str:
    declared = declared_fields(rules)
    cited = {key: f"[{rule.sheet}] {rule.heading}" for key, rule in rules.citations.items()}
    defining = {name: value for name, value in declared.items() if name not in _NOT_DEFINING}
    return definition_of({**defining, "citations": cited})


@cache
def _digest_of(rules: RuleSet) -> bytes:
    return hashlib.sha256(_definition_of(rules).encode()).digest()
