"""A round as one of its customers may see it: without the bets of others."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rounds.rules.facts import Bet, Round
from rounds.rules.ruling import Ruling

_OTHER: Final = "other-"
_STAKE_CENTS: Final = 100
_MAIN: Final = "main"
_BONUS: Final = "mega_fire_blaze"


class ReducedRound(NamedTuple):
    """The round, and the numbers of its bets in the whole one, in order."""

    dealt: Round
    numbers: tuple[int, ...]


def reduce_round(dealt: Round, customer: str) -> ReducedRound:
    """The round with the bets of this customer, a pseudonym, and what their evaluation needs.

    A box is dealt cards for its owner's bet. Bets of other customers that cards were dealt for are
    replaced by bets of one euro with the same play and without a name, one for each way of playing;
    all others are left out. A lost connection of such an owner stays, without the name, because it
    explains the cards. Employees and the recording are left out.
    """
    needed = _needed(dealt, customer)
    owners = dict.fromkeys(dealt.bets[number].player for number in sorted(needed))
    other = _unused(dealt)
    names = {owner: f"{other}{order}" for order, owner in enumerate(owners, start=1)}
    kept = {
        number: _replaced(bet, f"{other}{number}", names[bet.player]) if number in needed else bet
        for number, bet in enumerate(dealt.bets)
        if number in needed or bet.player == customer
    }
    names[customer] = customer
    disconnects = [entry for entry in dealt.disconnects if entry.player in names]
    return ReducedRound(
        dealt._replace(
            bets=tuple(kept.values()),
            disconnects=tuple(it._replace(player=names[it.player]) for it in disconnects),
            dealer=None,
            shift=None,
            location=None,
            video=None,
        ),
        tuple(kept),
    )


def _needed(dealt: Round, customer: str) -> set[int]:
    """The numbers of the main bets that cards were dealt for, one for each way of playing a box.

    A bonus game is played for the bets on it: one of them, with its main bet.
    """
    others = [(number, bet) for number, bet in enumerate(dealt.bets) if bet.player != customer]
    mains = [(number, bet) for number, bet in others if bet.kind == _MAIN and bet.box is not None]
    ways: dict[tuple[object, ...], int] = {}
    for number, bet in mains:
        if not bet.behind:
            ways.setdefault((bet.box, bet.play), number)
    needed = set(ways.values())
    if dealt.bonus is not None:
        for number, bonus in others:
            if bonus.kind == _BONUS:
                seat = bonus.player, bonus.box
                needed |= {number, *(it for it, main in mains if (main.player, main.box) == seat)}
                break
    return needed


def _unused(dealt: Round) -> str:
    """How no bet and no customer of the round is named at the beginning."""
    other = _OTHER
    while any(name.startswith(other) for bet in dealt.bets for name in (bet.id, bet.player)):
        other = f"any-{other}"
    return other


def _replaced(bet: Bet, reference: str, player: str) -> Bet:
    return bet._replace(
        id=reference,
        player=player,
        participation=player,
        stake_cents=_STAKE_CENTS,
        raised_cents=bet.raised_cents * _STAKE_CENTS // bet.stake_cents,
        golden=False,
        reported_cents=None,
    )


def renumbered(ruling: Ruling, numbers: Sequence[int]) -> Ruling:
    """A ruling on the whole round as one on the bets of these numbers."""
    return replace(
        ruling,
        plays={new: ruling.plays[old] for new, old in enumerate(numbers) if old in ruling.plays},
        refunded=frozenset(new for new, old in enumerate(numbers) if old in ruling.refunded),
    )
