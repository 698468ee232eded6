"""A round while it is being played: what is staked, which cards lie, and the time that passed."""

from random import Random
from typing import Final

from rounds.rules.facts import Bet, Bonus, Disconnect
from rounds.simulation.chance import between
from rounds.simulation.customers import Customer
from rounds.simulation.shoe import ShuffledShoe

_DEALERS_RESERVE: Final = 16
_CARD_MS: Final = (700, 1_100)


class Wager:
    """A bet that may still be played; ``counts`` is False when it is void from the start."""

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
    """Betting is open from ``opened_at`` to ``closed_at``; ``now`` runs on with every card.

    Times are milliseconds since 1970. The cards come from ``shoe``.
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
        """When customers lost the connection before betting closed, by customer number."""
        self.cut_off: set[int] = set()
        """Customers who lost it later: they decide nothing any more, at least at the table."""
        self.ended_off_line: dict[int, Disconnect] = {}
        """Those of them who ended their hands off line, by customer number."""
        self.multipliers: tuple[tuple[str, str], ...] | None = None
        self.bonus: Bonus | None = None

    @property
    def is_short_of_cards(self) -> bool:
        """Whether the shoe is so low that the rest of it is the dealer's."""
        return self.shoe.remaining < _DEALERS_RESERVE

    def deal(self, place: str) -> str:
        """Let the next card leave the shoe for a place, and say which one it is."""
        card = self.shoe.draw()
        self.cards.append((place, card))
        self.now += between(self.rng, *_CARD_MS)
        return card

    def wait(self, low_ms: int, high_ms: int) -> None:
        """Let time pass while people think."""
        self.now += between(self.rng, low_ms, high_ms)

    def counting(self, kind: str) -> list[Wager]:
        """The bets of a kind that are not void."""
        return [wager for wager in self.wagers if wager.kind == kind and wager.counts]

    def last_staked(self, customer: Customer) -> int:
        """When the customer placed the last bet, or betting closed if that was later."""
        own = [wager.placed_at for wager in self.wagers if wager.customer == customer]
        return max([self.closed_at, *own])
