"""The interface of a simulated game."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple, Protocol

from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.rule_set import RuleSet
from rounds.simulation.attendance import Attendance, Visitor
from rounds.simulation.customers import Customer
from rounds.simulation.round_in_play import RoundInPlay
from rounds.simulation.shoe import ShuffledShoe


class Pace(NamedTuple):
    """Durations at a table; ranges of milliseconds, inclusive."""

    betting: tuple[int, int]
    payout: tuple[int, int]
    """From the last card to the end of the round."""
    pause: tuple[int, int]
    """From the end of a round to the opening of the next."""


class Style(NamedTuple):
    """Practices of one table that the rules leave open, as probabilities from 0 to 1."""

    draws_anyway: float
    """That the dealer draws although no hand depends on it."""
    writes_stands: float
    """That the record contains a final stand."""
    reports: float
    """That the studio reports the payouts of a round."""


class Burn(NamedTuple):
    """The cards burnt from a new shoe."""

    face_up: tuple[str, ...]
    face_down: int


class Dealing(Protocol):
    """A game with its rule set, dealers and customers."""

    rule_set: RuleSet
    pace: Pace
    blaze: FireBlaze | None
    """The bonus of the game, if any."""

    def burn(self, shoe: ShuffledShoe) -> Burn:
        """Burn cards of a new shoe."""

    def attendance(self, rng: Random) -> Attendance:
        """The visitors of one table of this game."""

    def place_bets(
        self, game: RoundInPlay, visitors: Sequence[Visitor], crowd: Iterable[Customer]
    ) -> None:
        """Fill ``game.wagers`` with bets of the visitors, then of the crowd."""

    def may_start(self, game: RoundInPlay) -> bool:
        """Whether cards are dealt with these bets; otherwise the table opens betting again."""

    def play(self, game: RoundInPlay, style: Style) -> None:
        """Deal and play the round after its bets are placed."""
