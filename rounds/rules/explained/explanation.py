"""Explanations as data: steps that name a sentence and give it typed values.

Whoever words a step takes its English sentence from the catalogue of translations and writes each
value as the language does: money, cards, odds, times.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rounds.rules.blackjack.totals import Total
from rounds.rules.facts import Bet, Round
from rounds.rules.odds import Odds
from rounds.rules.verdict import Grade


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of whole cents."""

    cents: int


@dataclass(frozen=True, slots=True)
class ExactMoney:
    """An amount before it was rounded: so many cents, divided by ``parts``."""

    cents: int
    parts: int


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards in the order in which they came."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Factor:
    """What something is multiplied by: ``Factor(Odds(5, 2))`` is two and a half times."""

    times: Odds


@dataclass(frozen=True, slots=True)
class MultiplierCards:
    """Different multiplier cards of a hand, each with what it multiplies by."""

    cards: tuple[tuple[str, Odds], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A time, milliseconds since 1970 in UTC."""

    at: int


@dataclass(frozen=True, slots=True)
class HandName:
    """A hand of a box: the first or the second of a split, or the only one.

    Only at the head of a sentence, which it begins.
    """

    number: int


THE_HAND: Final = HandName(0)
HALVES: Final = (HandName(1), HandName(2))


@dataclass(frozen=True, slots=True)
class BetName:
    """A bet by its kind, ``"21+3"``."""

    kind: str


@dataclass(frozen=True, slots=True)
class LevelName:
    """A level of the bonus game, ``"mini"``."""

    level: str


@dataclass(frozen=True, slots=True)
class CellValues:
    """The multipliers in cells of a bonus grid, in the order of the cells."""

    values: tuple[int, ...]


Value = (
    int
    | Odds
    | Total
    | Money
    | ExactMoney
    | Cards
    | Factor
    | MultiplierCards
    | Moment
    | HandName
    | BetName
    | LevelName
    | CellValues
)


class Step(NamedTuple):
    """One step towards a payout.

    ``text`` is an English sentence with a placeholder for each value, a key of the catalogue of
    translations. ``rule`` is a key of the rule set's ``citations`` where the step is the decision
    that rests on it. ``cash_cents`` and ``chips_cents`` are what the step adds to the payout: over
    all steps of a bet they are its payout.
    """

    text: str
    values: Mapping[str, Value]
    rule: str | None = None
    cash_cents: int = 0
    chips_cents: int = 0


class Explanation(NamedTuple):
    """Why a bet paid what it paid."""

    bet: Bet
    grade: Grade
    steps: tuple[Step, ...]

    @property
    def credited_cents(self) -> int:
        """What the steps come to, chips included."""
        return sum(step.cash_cents + step.chips_cents for step in self.steps)

    @property
    def chips_cents(self) -> int:
        """What goes back as golden chips by the steps."""
        return sum(step.chips_cents for step in self.steps)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the steps rest on, in their order."""
        return tuple(step.rule for step in self.steps if step.rule is not None)

    @property
    def adds_up(self) -> bool:
        """Whether the steps lead to the grade: its money, its chips and its rules."""
        payout_cents, chips_cents, reasons = self.grade[1:]
        return (self.credited_cents, self.chips_cents, self.rules) == (
            payout_cents,
            chips_cents,
            reasons,
        )


Graded = tuple[Bet, Grade]
Explain = Callable[[Round, Sequence[Graded]], tuple[Explanation, ...]]
"""Explains these bets of a round that was settled or void, or held for ``payout-differs`` alone.

The round's own bets must hold them, every main bet of their players, and at tables with bets behind
the main bets of the boxes' owners; further bets change nothing. A void bet is explained by its
grade's reason.
"""


def say(
    text: str,
    *,
    rule: str | None = None,
    cash: int = 0,
    chips: int = 0,
    **values: Value,
) -> Step:
    """A step from its sentence and the sentence's values by name; money in cents."""
    return Step(text, values, rule, cash, chips)
