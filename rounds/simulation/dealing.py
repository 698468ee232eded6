"""What a table has to know of a game in order to deal it."""

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
    """How long things take at a table; ranges of milliseconds, ends included."""

    betting: tuple[int, int]
    payout: tuple[int, int]
    """From the last card to the end of the round."""
    pause: tuple[int, int]
    """From the end of a round to the opening of the next."""


class Style(NamedTuple):
    """How the people of one table work where the rules leave it open. Shares are 0 to 1."""

    draws_anyway: float
    """How often the dealer completes a hand that decides nothing any more."""
    writes_stands: float
    """How often the record names a final stand."""
    reports: float
    """In how many rounds the studio says what it credited."""


class Burn(NamedTuple):
    """The cards that leave a new shoe before its first round."""

    face_up: tuple[str, ...]
    face_down: int


class Dealing(Protocol):
    """A game with its rule set, as its dealers and its customers know it."""

    rule_set: RuleSet
    pace: Pace
    blaze: FireBlaze | None
    """The bonus of the game, None where it has none."""

    def burn(self, shoe: ShuffledShoe) -> Burn:
        """Burn the first cards of a new shoe."""

    def attendance(self, rng: Random) -> Attendance:
        """The visitors of one table of this game."""

    def place_bets(
        self, game: RoundInPlay, visitors: Sequence[Visitor], crowd: Iterable[Customer]
    ) -> None:
        """Fill ``game.wagers``; the crowd comes after the visitors, as far as it is read."""

    def may_start(self, game: RoundInPlay) -> bool:
        """Whether cards are dealt with these bets; if not, the table opens betting anew."""

    def play(self, game: RoundInPlay, style: Style) -> None:
        """Deal and play the round whose bets are placed."""
