"""A simulated round during its play: bets, cards and time."""

from random import Random
from typing import Final

from rounds.rules.facts import Bet, Bonus, Disconnect
from rounds.simulation.chance import between
from rounds.simulation.customers import Customer
from rounds.simulation.shoe import ShuffledShoe

_DEALERS_RESERVE: Final = 16
_CARD_MS: Final = (700, 1_100)


class Wager:
    """A bet during the round; ``counts`` is False for a void bet."""

    __slots__ = (
        "behind",
        "box",
        "counts",
        "customer",
        "follows",
        "golden",
        "kind",
        "placed_at",
        "play",
        "raised_cents",
        "stake_cents",
    )

    def __init__(  # noqa: PLR0913 - these are the facts of a bet, named by every caller
        self,
        *,
        customer: Customer,
        kind: str,
        stake_cents: int,
        placed_at: int,
        box: int | None = None,
        behind: bool = False,
        follows: bool = True,
        golden: bool = False,
        counts: bool = True,
    ) -> None:
        self.customer = customer
        self.kind = kind
        self.stake_cents = stake_cents
        self.placed_at = placed_at
        self.box = box
        self.behind = behind
        self.follows = follows
        self.golden = golden
        self.counts = counts
        self.play = ""
        self.raised_cents = 0

    def as_bet(self, *, number: int, participation: str) -> Bet:
        """The bet as a fact of the finished round, the ``number``-th from 1."""
        return Bet(
            id=f"b{number}",
            player=self.customer.pseudonym,
            participation=participation,
            box=self.box,
            kind=self.kind,
            stake_cents=self.stake_cents,
            raised_cents=self.raised_cents,
            play=self.play,
            golden=self.golden,
            behind=self.behind,
            follows=self.follows,
            placed_at=self.placed_at,
            reported_cents=None,
        )


class RoundInPlay:
    """Betting is open from ``opened_at`` to ``closed_at``; ``now`` advances with every card.

    Times are milliseconds since 1970.
    """

    def __init__(self, *, rng: Random, shoe: ShuffledShoe, opened_at: int, closed_at: int) -> None:
        self.rng = rng
        self.shoe = shoe
        self.opened_at = opened_at
        self.closed_at = closed_at
        self.now = closed_at
        self.cards: list[tuple[str, str]] = []
        self.wagers: list[Wager] = []
        self.left_early: dict[int, int] = {}
        """Times of disconnects before betting closed, by customer number."""
        self.cut_off: set[int] = set()
        """Numbers of customers who were disconnected later; they take no live decisions."""
        self.ended_off_line: dict[int, Disconnect] = {}
        """Disconnects with hands finished off line, by customer number."""
        self.multipliers: tuple[tuple[str, str], ...] | None = None
        self.bonus: Bonus | None = None

    @property
    def is_short_of_cards(self) -> bool:
        """Whether the rest of the shoe is reserved for the dealer."""
        return self.shoe.remaining < _DEALERS_RESERVE

    def deal(self, place: str) -> str:
        """Deal the next card of the shoe to a place."""
        card = self.shoe.draw()
        self.cards.append((place, card))
        self.now += between(self.rng, *_CARD_MS)
        return card

    def wait(self, low_ms: int, high_ms: int) -> None:
        """Let time pass for a decision."""
        self.now += between(self.rng, low_ms, high_ms)

    def counting(self, kind: str) -> list[Wager]:
        """The bets of a kind that are not void."""
        return [wager for wager in self.wagers if wager.kind == kind and wager.counts]

    def last_staked(self, customer: Customer) -> int:
        """The time of the customer's last bet, or of the closing if that is later."""
        times = [wager.placed_at for wager in self.wagers if wager.customer == customer]
        return max([self.closed_at, *times])
