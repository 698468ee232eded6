"""Simulated hands finished off line by players who lost the connection.

Feed contract, "A player who lost the connection": the live cards seen up to then come first, then
the player's own, which are of no shoe.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.cards import CARDS
from rounds.rules.facts import Disconnect
from rounds.simulation.blackjack_rounds.box_play import BoxPlay
from rounds.simulation.blackjack_rounds.dealer import complete_hand, looks_and_has_blackjack
from rounds.simulation.chance import between, happens, pick
from rounds.simulation.round_in_play import RoundInPlay, Wager

_COMES_BACK: Final = 0.75
_WRITES_STANDS: Final = 0.5
_HOLE_CARD_UNSEEN: Final = 0.3
"""The probability that the connection is lost before the hole card is dealt."""


class OffLineCards:
    """Off line cards: seen live cards first, then the player's own."""

    is_short_of_cards = False

    def __init__(self, *, lying: Sequence[tuple[str, str]], rng: Random) -> None:
        """``lying`` are the live cards seen after the opening deal."""
        self.rng = rng
        self.cut_off: set[int] = set()
        self.added: list[tuple[str, str]] = []
        self._lying = list(lying)

    def deal(self, place: str) -> str:
        """The next seen card of the place, otherwise a new one."""
        for index, (at, card) in enumerate(self._lying):
            if at == place:
                del self._lying[index]
                return card
        card = pick(self.rng, CARDS)
        self.added.append((place, card))
        return card

    def wait(self, low_ms: int, high_ms: int) -> None:
        """No time passes at the table."""


def players_off_line(game: RoundInPlay, rules: BlackjackGame) -> set[int]:
    """The numbers of disconnected customers who come back to finish their hands."""
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
    """Finish the hands of one customer off line; returns whether the live dealer must draw.

    Without own cards of the customer, the live cards decide.
    """
    dealt = 2 * len(hands) + len(dealer_hand)
    saw_hole_card = not happens(game.rng, _HOLE_CARD_UNSEEN)
    seen = between(game.rng, dealt, len(game.cards)) if saw_hole_card else dealt - 1
    source = OffLineCards(lying=game.cards[dealt:seen], rng=game.rng)
    dealer = [*dealer_hand] if saw_hole_card else [dealer_hand[0], source.deal("D")]
    alive = False
    if not looks_and_has_blackjack(dealer, rules):
        alive = _play_hands(source, rules=rules, hands=hands, upcard=dealer[0], wagers=wagers)
    if alive:
        complete_hand(source, dealer, rules)
    if not source.added:
        return alive
    customer = wagers[0].customer
    game.ended_off_line[customer.number] = Disconnect(
        player=customer.pseudonym,
        at=between(game.rng, game.last_staked(customer) + 1, game.now),
        cards_seen=seen,
        cards=tuple(source.added),
    )
    return False


def _play_hands(
    source: OffLineCards,
    *,
    rules: BlackjackGame,
    hands: Mapping[int, Sequence[str]],
    upcard: str,
    wagers: Sequence[Wager],
) -> bool:
    """Play the hands; returns whether one of them depends on the dealer's draw."""
    alive = False
    for wager in wagers:
        play = BoxPlay(source=source, rules=rules, upcard=upcard, writes_stands=_WRITES_STANDS)
        alive |= play.play(wager.box or 0, hands[wager.box or 0], [wager])
    return alive
