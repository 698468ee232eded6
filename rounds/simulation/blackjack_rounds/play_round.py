"""The play of a simulated blackjack round, from the first card to the dealer's last."""

from collections.abc import Iterable
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.simulation.blackjack_rounds.box_play import BoxPlay
from rounds.simulation.blackjack_rounds.dealer import complete_hand, looks_and_has_blackjack
from rounds.simulation.blackjack_rounds.off_line import end_off_line, players_off_line
from rounds.simulation.chance import between, happens
from rounds.simulation.dealing import Style
from rounds.simulation.round_in_play import RoundInPlay, Wager

_INSURING_MS: Final = (500, 6_000)


def play_round(game: RoundInPlay, *, rules: BlackjackGame, style: Style) -> None:
    """Deal and play a round after its bets are placed. At least one box must be in use."""
    owners = _owners_by_box(game)
    boxes = range(1, rules.boxes + 1) if rules.always_dealt else sorted(owners)
    first_cards = {box: game.deal(f"{box}") for box in boxes}
    upcard = game.deal("D")
    hands = {box: (first_cards[box], game.deal(f"{box}")) for box in boxes}
    dealer_hand = [upcard, game.deal("D")]
    if upcard[0] == "A":
        _insure(game)
    if looks_and_has_blackjack(dealer_hand, rules):
        return
    off_line = players_off_line(game, rules)
    play = BoxPlay(source=game, rules=rules, upcard=upcard, writes_stands=style.writes_stands)
    alive = False
    for box, hand in hands.items():
        present = [wager for wager in owners.get(box, []) if wager.customer.number not in off_line]
        alive |= play.play(box, hand, present)
    for mains in _wagers_of(off_line, owners):
        alive |= end_off_line(game, rules=rules, hands=hands, dealer_hand=dealer_hand, wagers=mains)
    _follow_owners(game, owners)
    if alive or happens(game.rng, style.draws_anyway):
        complete_hand(game, dealer_hand, rules)


def _owners_by_box(game: RoundInPlay) -> dict[int, list[Wager]]:
    owners: dict[int, list[Wager]] = {}
    for wager in game.counting("main"):
        if not wager.behind and wager.box is not None:
            owners.setdefault(wager.box, []).append(wager)
    return owners


def _wagers_of(customers: set[int], owners: dict[int, list[Wager]]) -> Iterable[list[Wager]]:
    """The main bets of each of these customers."""
    wagers_of_customer: dict[int, list[Wager]] = {number: [] for number in sorted(customers)}
    for wagers in owners.values():
        for wager in wagers:
            if wager.customer.number in wagers_of_customer:
                wagers_of_customer[wager.customer.number].append(wager)
    return wagers_of_customer.values()


def _insure(game: RoundInPlay) -> None:
    """Place insurances: half of the main stake, rounded down to the cent; not of golden chips.

    Customers who lose the connection during the play can insure before.
    """
    for main in game.counting("main"):
        half = main.stake_cents // 2
        insures = happens(game.rng, main.customer.habit.insures)
        if not insures or not half or main.golden:
            continue
        game.wagers.append(
            Wager(
                customer=main.customer,
                kind="insurance",
                stake_cents=half,
                placed_at=game.now + between(game.rng, *_INSURING_MS),
                box=main.box,
                behind=main.behind,
            )
        )
    game.now += _INSURING_MS[1]


def _follow_owners(game: RoundInPlay, owners: dict[int, list[Wager]]) -> None:
    for wager in game.counting("main"):
        if wager.behind and wager.follows and wager.box is not None:
            (owner,) = owners[wager.box]
            times = owner.raised_cents // owner.stake_cents
            wager.raised_cents = wager.stake_cents * times
