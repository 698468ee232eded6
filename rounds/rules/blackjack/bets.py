"""Which bets of a round count, and which main bet each one goes with."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.play import read_play
from rounds.rules.facts import Bet, Round
from rounds.rules.void import DISCONNECTED, LATE, players_gone

MAIN: Final = "main"
INSURANCE: Final = "insurance"

WITHOUT_OWNER: Final = "void-without-owner"
ON_OWN_BOX: Final = "void-on-own-box"
WITHOUT_MAIN: Final = "void-with-main-bet"


Seat = tuple[str, int]
"""A player and a box."""


def seat_of(bet: Bet) -> Seat:
    """The player and the box of a bet; every bet of the family has a box (contract, detail 2)."""
    return bet.player, bet.box or 0


class Standing(NamedTuple):
    """What the bets of a round come to before a card is looked at."""

    voids: Sequence[str | None]
    """For each bet why it never counted, None for one that does."""
    mains: Mapping[Seat, Bet]
    """The main bet, own or behind, of each player on each box."""
    owners: Mapping[int, Bet]
    """A main bet of somebody who plays the box: at owned boxes its owner's, the only one."""
    boxes: frozenset[int]
    """The boxes in use."""
    lacks_main: bool
    """Another bet stands where its player has no main bet, not even a void one."""


def sort_bets(game: BlackjackGame, dealt: Round) -> Standing:
    """Which bets count and which boxes they put in use (contract, "Void bets")."""
    sorting = _Sorting(dealt)
    for number, bet in enumerate(dealt.bets):
        if bet.kind == MAIN and not bet.behind:
            sorting.stand_main(number, bet)
    for number, bet in enumerate(dealt.bets):
        if bet.behind and bet.kind == MAIN:
            sorting.stand_behind(number, bet)
    for number, bet in enumerate(dealt.bets):
        if bet.kind != MAIN:
            sorting.stand_other(number, bet)
    boxes = range(1, game.boxes + 1) if game.always_dealt else sorting.owners
    return Standing(
        sorting.voids, sorting.mains, sorting.owners, frozenset(boxes), sorting.lacks_main
    )


class _Sorting:
    """The bets of a round being sorted: owners' main bets first, for all others depend on them."""

    def __init__(self, dealt: Round) -> None:
        self.voids = _void_reasons(dealt)
        self.mains: dict[Seat, Bet] = {}
        self.void_mains: set[Seat] = set()
        self.owners: dict[int, Bet] = {}
        self.lacks_main = False

    def stand_main(self, number: int, bet: Bet) -> None:
        """A main bet of somebody who plays the hand puts its box in use."""
        seat = seat_of(bet)
        if self.voids[number] is None:
            self.mains[seat] = self.owners[seat[1]] = bet
        else:
            self.void_mains.add(seat)

    def stand_behind(self, number: int, bet: Bet) -> None:
        """A main bet behind needs an owner who is somebody else."""
        seat = seat_of(bet)
        owner = self.owners.get(seat[1])
        reason = self.voids[number] or _behind_void_reason(bet, owner)
        if reason is None:
            self.mains[seat] = bet
        else:
            self.voids[number] = reason
            self.void_mains.add(seat)

    def stand_other(self, number: int, bet: Bet) -> None:
        """Any other bet goes with its main bet (detail 17)."""
        seat = seat_of(bet)
        if self.voids[number] is None and seat not in self.mains:
            if seat in self.void_mains:
                self.voids[number] = WITHOUT_MAIN
            else:
                self.lacks_main = True


def _void_reasons(dealt: Round) -> list[str | None]:
    """For each bet why it never counted, as far as it can be seen from itself."""
    opened_at, closed_at, ended_at = dealt.opened_at, dealt.closed_at, dealt.ended_at
    gone = players_gone(dealt)
    reasons: list[str | None] = []
    for bet in dealt.bets:
        if gone and bet.player in gone:
            reasons.append(DISCONNECTED)
        elif bet.kind == INSURANCE:
            reasons.append(None if closed_at < bet.placed_at <= ended_at else LATE)
        else:
            reasons.append(None if opened_at <= bet.placed_at <= closed_at else LATE)
    return reasons


def _behind_void_reason(bet: Bet, owner: Bet | None) -> str | None:
    if owner is None:
        return WITHOUT_OWNER
    return ON_OWN_BOX if owner.player == bet.player else None


def cost_of(bet: Bet, standing: Standing) -> int:
    """What the play of a main bet's hand adds to it, in cents."""
    if bet.behind and not bet.follows:
        return 0
    return read_play(play_of(bet, standing)).raises * bet.stake_cents


def play_of(bet: Bet, standing: Standing) -> str:
    """How the hand of a main bet was played: by its owner, where the bet rides behind."""
    return standing.owners[bet.box or 0].play if bet.behind else bet.play
