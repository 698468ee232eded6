"""Rounds dealt at random are settled for what the analysis computes.

Hands are played by random legal decisions from small shoes.
"""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from compliance.certification.returns.blackjack.dealer import BLACKJACK, ENDINGS, Draws, draws_of
from compliance.certification.returns.blackjack.game_terms import terms_of
from compliance.certification.returns.blackjack.hands import VALUES, every_hand
from compliance.certification.returns.blackjack.hit_or_stand import bust_gain, double_gain
from compliance.certification.returns.blackjack.jit_compiler import Floats
from compliance.certification.returns.blackjack.stand_values import Pays, StandValues, gain_of
from compliance.certification.returns.blackjack.upcards import pays_of
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.reasons import BLACKJACK as BLACKJACK_WON
from rounds.rules.blackjack.reasons import (
    BUST,
    CHARLIE,
    DOUBLE_RETURNED,
    LOSE,
    LOSE_TO_BLACKJACK,
    PUSH,
    PUSH_OF_BLACKJACKS,
    PUSH_ON_BUST,
    WIN,
)
from rounds.rules.blackjack.totals import values_of
from rounds.rules.cards import RANKS, SUITS
from tests.compliance.certification.random_rounds import (
    ACE,
    STAKE,
    Dealer,
    Dealing,
    Hand,
    at_random,
    ends_at_once,
    game_of,
    settled,
)
from tests.rounds.rules.dealing import BLACKJACK as LIVE
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT

ROUNDS = 3000


def few_ranks(chance: random.Random, ranks: Sequence[str], decks: int) -> list[str]:
    """A shuffled shoe of some of these ranks."""
    chosen = chance.sample(ranks, chance.randint(3, len(ranks)))
    shoe = [rank + suit for rank in chosen for suit in SUITS] * decks
    chance.shuffle(shoe)
    return shoe


def modelled_net(game: BlackjackGame, dealing: Dealing) -> float:
    """The analysed gain of a round in cents."""
    terms = terms_of(game)
    up, hole = values_of(dealing.dealer[:2])
    pays = pays_of(terms, up)
    chances = chances_of(draws_of(game)[up - 1], values_of(dealing.dealer)[1:])
    first = dealing.hands[0]
    if first.fresh and len(first.values) == 2 and sum(first.values) == 11 and ACE in first.values:
        return STAKE * terms.blackjack * (1.0 - float(chances[BLACKJACK]))
    if ends_at_once(terms, dealing.dealer):
        return -STAKE
    return STAKE * sum(gained(hand, chances, hole, pays) for hand in dealing.hands)


def chances_of(draws: Draws, drawn: Sequence[int]) -> Floats:
    """The distribution of the dealer's end: the one that occurred."""
    chances = np.zeros(ENDINGS)
    node = 0
    for column in sorted((value - 1 for value in drawn), reverse=True):
        children = np.flatnonzero(
            (draws.parent == node) & (draws.column == column) & (draws.depth > 0)
        )
        if not len(children):
            return chances
        node = int(children[0])
    if draws.orders[node]:
        chances[draws.ending[node]] = 1.0
    return chances


def gained(hand: Hand, chances: Floats, hole: int, pays: Pays) -> float:
    """The gain of one hand against an end of the dealer."""
    hands = every_hand()
    *before, last = walked(hand.values)
    column = hand.values[-1] - 1
    stakes = 2 if hand.doubled else 1
    if last < 0:
        return bust_gain(np.eye(VALUES)[column] + np.eye(VALUES)[hole - 1], column, stakes, pays)
    gain = gain_of(int(hands.points[last]), int(hands.cards[last]), chances, pays)
    if not hand.doubled:
        return gain + pays.single * float(chances[BLACKJACK])
    stood = StandValues(np.zeros(len(hands.points)), np.zeros(len(hands.points)))
    stood.gain[last], stood.blackjack[last] = gain, chances[BLACKJACK]
    return double_gain(hands, before[-1], np.eye(VALUES)[column], stood, pays)


def walked(values: Sequence[int]) -> Iterator[int]:
    """The states of the hand, -1 after a bust."""
    hand = 0
    for value in values:
        hand = int(every_hand().after[hand, value - 1])
        yield hand


@pytest.mark.parametrize(
    ("rules", "without", "own"),
    # Queens are the multiplier cards of the Quantum rounds, and this is the base game.
    [
        (LIVE, "", set()),
        (MEGA_FIRE_BLAZE, "", {CHARLIE, DOUBLE_RETURNED}),
        (QUANTUM, "Q", {PUSH_ON_BUST}),
        (ZAPPIT, "", {PUSH_ON_BUST}),
    ],
)
class TestRoundsDealtAtRandom:
    @pytest.mark.slow
    def test_are_settled_for_the_analysed_amount(
        self, rules: str, without: str, own: set[str]
    ) -> None:
        """Issue 7, item 3; ``own`` lists the results that only this game has."""
        game = game_of(rules)
        chance = random.Random(7)
        dealer = Dealer(game, at_random(chance))
        ranks = [rank for rank in RANKS if rank not in without]
        rounds = [dealer.deal(few_ranks(chance, ranks, game.decks)) for _ in range(ROUNDS)]

        settlements = [settled(rules, dealing) for dealing in rounds]

        assert [modelled_net(game, dealing) for dealing in rounds] == [
            net for net, _ in settlements
        ]
        reasons = {reason for _, some in settlements for reason in some}
        assert reasons == own | {
            BLACKJACK_WON,
            BUST,
            LOSE,
            LOSE_TO_BLACKJACK,
            PUSH,
            PUSH_OF_BLACKJACKS,
            WIN,
        }
