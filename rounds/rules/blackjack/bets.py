"""Which bets of a round count, and which main bet each one goes with."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.play import read_play
from rounds.rules.facts import Bet, Round
from rounds.rules.void import DISCONNECTED, LATE, bet_is_late, players_gone

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


class _Sorting:
    """The bets of a round being sorted: main bets first, for the others depend on them."""

    def __init__(self, dealt: Round) -> None:
        self.dealt = dealt
        self.gone = players_gone(dealt)
        self.voids: list[str | None] = [None] * len(dealt.bets)
        self.mains: dict[Seat, Bet] = {}
        self.void_mains: set[Seat] = set()
        self.owners: dict[int, Bet] = {}
        self.lacks_main = False

    def void_reason(self, bet: Bet) -> str | None:
        """Why the bet never counted, as far as it can be seen from itself."""
        if bet.player in self.gone:
            return DISCONNECTED
        if bet.kind != INSURANCE:
            return LATE if bet_is_late(bet, self.dealt) else None
        in_time = self.dealt.closed_at < bet.placed_at <= self.dealt.ended_at
        return None if in_time else LATE

    def behind_void_reason(self, bet: Bet) -> str | None:
        """The same for a bet behind, which needs an owner who is somebody else."""
        owner = self.owners.get(bet.box or 0)
        if owner is None:
            return self.void_reason(bet) or WITHOUT_OWNER
        return self.void_reason(bet) or (ON_OWN_BOX if owner.player == bet.player else None)

    def stand_main(self, number: int, bet: Bet, reason: str | None) -> None:
        """Settles whether a main bet counts."""
        seat = seat_of(bet)
        if reason is not None:
            self.voids[number] = reason
            self.void_mains.add(seat)
            return
        self.mains[seat] = bet
        if not bet.behind:
            self.owners[seat[1]] = bet

    def stand_other(self, number: int, bet: Bet) -> None:
        """Settles whether another bet counts: it goes with its main bet (detail 17)."""
        reason = self.void_reason(bet)
        if reason is None and (seat := seat_of(bet)) not in self.mains:
            if seat in self.void_mains:
                reason = WITHOUT_MAIN
            else:
                self.lacks_main = True
        self.voids[number] = reason


def sort_bets(game: BlackjackGame, dealt: Round) -> Standing:
    """Which bets count and which boxes they put in use (contract, "Void bets")."""
    sorting = _Sorting(dealt)
    behind, others = [], []
    for number, bet in enumerate(dealt.bets):
        if bet.kind != MAIN:
            others.append(number)
        elif bet.behind:
            behind.append(number)
        else:
            sorting.stand_main(number, bet, sorting.void_reason(bet))
    for number in behind:
        bet = dealt.bets[number]
        sorting.stand_main(number, bet, sorting.behind_void_reason(bet))
    for number in others:
        sorting.stand_other(number, dealt.bets[number])
    boxes = range(1, game.boxes + 1) if game.always_dealt else sorting.owners
    return Standing(
        sorting.voids, sorting.mains, sorting.owners, frozenset(boxes), sorting.lacks_main
    )


def cost_of(bet: Bet, standing: Standing) -> int:
    """What the play of a main bet's hand adds to it, in cents."""
    if bet.behind and not bet.follows:
        return 0
    return read_play(play_of(bet, standing)).raises * bet.stake_cents


def play_of(bet: Bet, standing: Standing) -> str:
    """How the hand of a main bet was played: by its owner, where the bet rides behind."""
    return standing.owners[bet.box or 0].play if bet.behind else bet.play
