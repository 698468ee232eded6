"""Classification of a round's bets: void bets, main bets, owners and boxes in use."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.play import read_play
from rounds.rules.facts import Bet, Round
from rounds.rules.void import DISCONNECTED, LATE, disconnected_players

MAIN: Final = "main"
INSURANCE: Final = "insurance"

WITHOUT_OWNER: Final = "void-without-owner"
ON_OWN_BOX: Final = "void-on-own-box"
WITHOUT_MAIN: Final = "void-with-main-bet"


Seat = tuple[str, int]
"""A player and a box."""


def seat_of(bet: Bet) -> Seat:
    """The player and the box of a bet; every blackjack bet has a box (contract, detail 2)."""
    return bet.player, bet.box or 0


class ClassifiedBets(NamedTuple):
    """The bets of a round, classified without regard to its cards."""

    voids: Sequence[str | None]
    """For each bet the reason why it is void, None for one that counts."""
    mains: Mapping[Seat, Bet]
    """The main bet, own or behind, of each player on each box."""
    owners: Mapping[int, Bet]
    """A main bet of a player of the box; of its owner if boxes are owned."""
    boxes: frozenset[int]
    """The boxes in use."""
    lacks_main: bool
    """A bet has no main bet, not even a void one, of its player on its box."""


def classify_bets(game: BlackjackGame, dealt: Round) -> ClassifiedBets:
    """Classifies the bets of a round (contract, "Void bets")."""
    voids: list[str | None] = []
    mains: dict[Seat, Bet] = {}
    owners: dict[int, Bet] = {}
    void_mains: set[Seat] = set()
    behind, others = [], []
    disconnected = disconnected_players(dealt)
    for number, bet in enumerate(dealt.bets):
        void = _void_reason(bet, dealt, disconnected)
        voids.append(void)
        if bet.kind != MAIN:
            others.append(number)
        elif bet.behind:
            behind.append(number)
        elif void is None:
            seat = seat_of(bet)
            mains[seat] = owners[seat[1]] = bet
        else:
            void_mains.add(seat_of(bet))
    for number in behind:  # after all owners
        bet = dealt.bets[number]
        seat = seat_of(bet)
        voids[number] = voids[number] or _behind_void_reason(bet, owners.get(seat[1]))
        if voids[number] is None:
            mains[seat] = bet
        else:
            void_mains.add(seat)
    lacks_main = False
    for number in others:  # after all main bets, on which they depend (detail 17)
        seat = seat_of(dealt.bets[number])
        if voids[number] is None and seat not in mains:
            if seat in void_mains:
                voids[number] = WITHOUT_MAIN
            else:
                lacks_main = True
    boxes = range(1, game.boxes + 1) if game.always_dealt else owners
    return ClassifiedBets(voids, mains, owners, frozenset(boxes), lacks_main)


def _void_reason(bet: Bet, dealt: Round, disconnected: Collection[str]) -> str | None:
    """The reason why a bet is void, independent of other bets."""
    if disconnected and bet.player in disconnected:
        return DISCONNECTED
    if bet.kind == INSURANCE:
        return None if dealt.closed_at < bet.placed_at <= dealt.ended_at else LATE
    return None if dealt.opened_at <= bet.placed_at <= dealt.closed_at else LATE


def _behind_void_reason(bet: Bet, owner: Bet | None) -> str | None:
    if owner is None:
        return WITHOUT_OWNER
    return ON_OWN_BOX if owner.player == bet.player else None


def cost_of(bet: Bet, classified: ClassifiedBets) -> int:
    """The raise of a main bet in cents, as its play requires."""
    if bet.behind and not bet.follows:
        return 0
    return read_play(play_of(bet, classified)).raises * bet.stake_cents


def play_of(bet: Bet, classified: ClassifiedBets) -> str:
    """The play of a main bet's hand; of its owner for a bet behind."""
    return classified.owners[bet.box or 0].play if bet.behind else bet.play
