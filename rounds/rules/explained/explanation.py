"""Explanations as data: steps of an English sentence, a msgid of the translations, and values.

``rounds.explanations.sentences`` formats the values by type in each language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rounds.rules.cards import Total
from rounds.rules.facts import Bet, Round
from rounds.rules.odds import Odds, Percent
from rounds.rules.verdict import Grade


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of whole cents."""

    cents: int


@dataclass(frozen=True, slots=True)
class ExactMoney:
    """An amount before rounding: ``cents`` divided by ``parts``."""

    cents: int
    parts: int


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards in dealing order."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Factor:
    """A multiplier: ``Factor(Odds(5, 2))`` is two and a half times."""

    times: Odds


@dataclass(frozen=True, slots=True)
class MultiplierCards:
    """The different multiplier cards of a hand, each with its multiplier."""

    cards: tuple[tuple[str, Odds], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A time, milliseconds since 1970 in UTC."""

    at: int


@dataclass(frozen=True, slots=True)
class HandName:
    """A hand of a box, at the beginning of a sentence: 1 or 2 for a split, 0 for the only one."""

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


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A place of the feed, ``"1a"``, ``"D"``."""

    place: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """Allowed decisions, ``"HS"``; empty for a hand that takes none."""

    letters: str


@dataclass(frozen=True, slots=True)
class PlayName:
    """The play of a box in the feed's notation, ``"PH,D"``."""

    play: str


@dataclass(frozen=True, slots=True)
class Literal:
    """Text of the document, shown verbatim."""

    text: str


Value = (
    int
    | Odds
    | Percent
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
    | PlaceName
    | Decisions
    | PlayName
    | Literal
)


class Step(NamedTuple):
    """One step towards a payout.

    ``text`` is an English sentence with a placeholder for each value, a msgid of the translations.
    ``rule`` is the key of the citation if the step is a decision. ``cash_cents`` and
    ``chips_cents`` are the step's contribution to the payout.
    """

    text: str
    values: Mapping[str, Value]
    rule: str | None = None
    cash_cents: int = 0
    chips_cents: int = 0


class Explanation(NamedTuple):
    """The steps that led to the payout of a bet."""

    bet: Bet
    grade: Grade
    steps: tuple[Step, ...]

    @property
    def credited_cents(self) -> int:
        """The sum of the steps, chips included."""
        return sum(step.cash_cents + step.chips_cents for step in self.steps)

    @property
    def chips_cents(self) -> int:
        """The sum of the steps in golden chips."""
        return sum(step.chips_cents for step in self.steps)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the steps cite, in order."""
        return tuple(step.rule for step in self.steps if step.rule is not None)

    @property
    def adds_up(self) -> bool:
        """Whether the steps agree with the grade: money, chips and rules."""
        payout_cents, chips_cents, reasons = self.grade[1:]
        return (self.credited_cents, self.chips_cents, self.rules) == (
            payout_cents,
            chips_cents,
            reasons,
        )


Graded = tuple[Bet, Grade]
Explain = Callable[[Round, Sequence[Graded]], tuple[Explanation, ...]]
"""Explains these bets of a round that is settled, void, or held for ``payout-differs`` alone.

The round must contain these bets, all main bets of their players, and the main bets of the owners
that bets behind follow; other bets may be missing. A void bet is explained by its reason.
"""


def make_step(
    text: str,
    *,
    rule: str | None = None,
    cash: int = 0,
    chips: int = 0,
    **values: Value,
) -> Step:
    """A step; ``values`` are those of the sentence by name, money is in cents."""
    return Step(text, values, rule, cash, chips)
