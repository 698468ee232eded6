"""Hands whose players lost the connection, ended off line on the cards that lay by then.

Feed contract, "A player who lost the connection": the cards of the round up to that moment come
first, the player's own follow. Nobody else's hand matters there, and the cards are of no shoe.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.cards import CARDS
from rounds.rules.facts import Disconnect
from rounds.simulation.box_play import BoxPlay
from rounds.simulation.chance import between, happens, pick
from rounds.simulation.dealer import complete_hand, looks_and_has_blackjack
from rounds.simulation.round_in_play import RoundInPlay, Wager

_COMES_BACK: Final = 0.75
_WRITES_STANDS: Final = 0.5
_HOLE_CARD_UNSEEN: Final = 0.3
"""How often the connection is lost before the hole card: then it is another one off line."""


class OffLineFelt:
    """The version without a table: cards that were seen come first, then the player's own."""

    is_short_of_cards = False

    def __init__(self, *, lying: Sequence[tuple[str, str]], rng: Random) -> None:
        """``lying`` are the live cards that were seen after the first deal."""
        self.rng = rng
        self.cut_off: set[int] = set()
        self.own: list[tuple[str, str]] = []
        self._lying = list(lying)

    def deal(self, place: str) -> str:
        """The next card of a place that was seen, or else a new one."""
        for index, (at, card) in enumerate(self._lying):
            if at == place:
                del self._lying[index]
                return card
        card = pick(self.rng, CARDS)
        self.own.append((place, card))
        return card

    def wait(self, low_ms: int, high_ms: int) -> None:
        """Nobody waits for a player who is alone."""


def players_off_line(game: RoundInPlay, rules: BlackjackGame) -> set[int]:
    """Those who lost the connection and come back to end their hands, by customer number."""
    if not rules.finishes_off_line or not game.cut_off:
        return set()
    owners = {wager.customer.number for wager in game.counting("main")}
    return {number for number in sorted(game.cut_off & owners) if happens(game.rng, _COMES_BACK)}


def end_off_line(
    game: RoundInPlay,
    *,
    rules: BlackjackGame,
    hands: Mapping[int, Sequence[str]],
    dealer_hand: Sequence[str],
    wagers: Sequence[Wager],
) -> bool:
    """Let one customer end the hands of his main bets; tells whether the table's dealer must draw.

    That is so when no card of his own came: then everything is decided on the live cards.
    """
    dealt = 2 * len(hands) + len(dealer_hand)
    saw_hole_card = not happens(game.rng, _HOLE_CARD_UNSEEN)
    seen = between(game.rng, dealt, len(game.cards)) if saw_hole_card else dealt - 1
    felt = OffLineFelt(lying=game.cards[dealt:seen], rng=game.rng)
    dealer = [*dealer_hand] if saw_hole_card else [dealer_hand[0], felt.deal("D")]
    alive = False
    if not looks_and_has_blackjack(dealer, rules):
        alive = _play_hands(felt, rules=rules, hands=hands, upcard=dealer[0], wagers=wagers)
    if alive:
        complete_hand(felt, dealer, rules)
    if not felt.own:
        return alive
    customer = wagers[0].customer
    game.ended_off_line[customer.number] = Disconnect(
        player=customer.pseudonym,
        at=between(game.rng, game.last_staked(customer) + 1, game.now),
        cards_seen=seen,
        cards=tuple(felt.own),
    )
    return False


def _play_hands(
    felt: OffLineFelt,
    *,
    rules: BlackjackGame,
    hands: Mapping[int, Sequence[str]],
    upcard: str,
    wagers: Sequence[Wager],
) -> bool:
    """Let the customer play the hands; tells whether one of them needs the dealer to draw."""
    alive = False
    for wager in wagers:
        play = BoxPlay(felt=felt, rules=rules, upcard=upcard, writes_stands=_WRITES_STANDS)
        alive |= play.play(wager.box or 0, hands[wager.box or 0], [wager])
    return alive
