"""One truth: rounds dealt at random pay by settlement what the analysis takes them to pay.

Hands are played by decisions drawn among the legal ones, from shoes of a few ranks, so that pairs,
blackjacks, many cards and every kind of bust come up. The analysis' own functions are asked with
shoes in which nothing is left to chance.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pytest

from compliance.certification.blackjack.compiled import Floats
from compliance.certification.blackjack.dealer import BLACKJACK, ENDINGS, Draws, draws_of
from compliance.certification.blackjack.hands import VALUES, every_hand
from compliance.certification.blackjack.playing import bust_gain, double_gain
from compliance.certification.blackjack.standing import Pays, Stood, gain_of
from compliance.certification.blackjack.terms import Terms, terms_of
from compliance.certification.blackjack.upcards import pays_of
from rounds.rules.blackjack.dealer import draw_by_rule
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
from rounds.rules.blackjack.totals import total_of_values, values_of
from rounds.rules.cards import RANKS, SUITS
from rounds.rules.catalogue import rule_set
from tests.rounds.rules.dealing import BLACKJACK as LIVE
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT, bet, dealt, judged

STAKE = 1000
ROUNDS = 3000
TEN, ACE = 10, 1


class Hand(NamedTuple):
    """A hand at its end, with the place of each card."""

    cards: list[tuple[str, str]]
    doubled: bool = False
    fresh: bool = True
    """Neither split nor zapped."""

    @property
    def values(self) -> tuple[int, ...]:
        """The values of its cards."""
        return values_of(card for _, card in self.cards)


class Dealing(NamedTuple):
    """A round: how box 1 was played, its hands, the dealer's cards, cards that lie elsewhere."""

    play: str
    hands: list[Hand]
    dealer: list[str]
    aside: list[tuple[str, str]]


class Dealer:
    """Deals rounds of one game in which box 1 is played at random."""

    def __init__(self, game: BlackjackGame, *, without: str, seed: int) -> None:
        self.game = game
        self.terms = terms_of(game)
        self.chance = random.Random(seed)
        self.ranks = [rank for rank in RANKS if rank not in without]

    def deal(self) -> Dealing:
        """One round to its end, from a shoe of some ranks, the dealer's hand always completed."""
        ranks = self.chance.sample(self.ranks, self.chance.randint(3, len(self.ranks)))
        shoe = [rank + suit for rank in ranks for suit in SUITS] * self.game.decks
        self.chance.shuffle(shoe)
        self.shoe = iter(shoe)
        own = [("1", next(self.shoe)), ("1", next(self.shoe))]
        aside = [("2", next(self.shoe)), ("2", next(self.shoe))] if self.game.always_dealt else []
        dealer = [next(self.shoe), next(self.shoe)]
        while draw_by_rule(self.game, values_of(dealer)).has_to_draw:
            dealer.append(next(self.shoe))
        if ends_at_once(self.terms, dealer):
            return Dealing("", [Hand(own)], dealer, aside)
        play, hands, gone = self.open(own)
        return Dealing(play, hands, dealer, aside + gone)

    def open(self, own: list[tuple[str, str]]) -> tuple[str, list[Hand], list[tuple[str, str]]]:
        """The play, the hands it makes, and the cards that it throws away."""
        one, two = values_of(card for _, card in own)
        total = total_of_values((one, two))
        if one == two and self.chance.random() < 0.7:
            halves = [
                self.go_on([own[number], (place, next(self.shoe))], place, fresh=False)
                for number, place in enumerate(("1a", "1b"))
            ]
            text = "P" + ",".join(text for text, _ in halves)
            return text, [hand for _, hand in halves], []
        if total.points in self.terms.zaps and not total.is_soft and self.chance.random() < 0.7:
            new = [("1z", next(self.shoe)), ("1z", next(self.shoe))]
            text, hand = self.go_on(new, "1z", fresh=False)
            return f"Z{text}", [hand], own
        text, hand = self.go_on(own, "1", fresh=True)
        return text, [hand], []

    def go_on(self, cards: list[tuple[str, str]], place: str, *, fresh: bool) -> tuple[str, Hand]:
        """Hits until it stands, or doubles, as far as it may."""
        hand = Hand(cards, fresh=fresh)
        is_half = place in ("1a", "1b")
        if is_half and hand.values[0] == ACE:
            return "", hand
        text = ""
        while total_of_values(hand.values).points < 21:
            if len(hand.cards) == self.terms.most_cards or self.chance.random() < 0.15:
                break
            may_double = not text and (self.terms.doubles_after_split or not is_half)
            hand.cards.append((place, next(self.shoe)))
            if may_double and self.chance.random() < 0.3:
                return "D", hand._replace(doubled=True)
            text += "H"
        return text, hand


def ends_at_once(terms: Terms, dealer: Sequence[str]) -> bool:
    """Whether the dealer looks and finds a blackjack."""
    up, hole = values_of(dealer[:2])
    return terms.under(up).is_looked_at and {up, hole} == {ACE, TEN}


def settled(rules: str, one: Dealing) -> tuple[int, tuple[str, ...]]:
    """What settlement makes of the round for the player, in cents, and why."""
    raised = STAKE * sum(one.play.count(letter) for letter in "DP")
    drawn = [card for hand in one.hands for card in hand.cards]
    opening = [card for card in [*drawn, *one.aside] if card[0] in ("1", "2")]
    later = [card for card in [*drawn, *one.aside] if card[0] not in ("1", "2")]
    first = [card for card in opening if card[0] == "1"]
    cards = [
        *first[:2],
        *(card for card in opening if card[0] == "2"),
        *(("D", card) for card in one.dealer[:2]),
        *first[2:],
        *later,
        *(("D", card) for card in one.dealer[2:]),
    ]
    text = " ".join(f"{place}:{card}" for place, card in cards)
    verdict = judged(dealt(text, bet(play=one.play, raised_cents=raised), rules=rules))
    assert (verdict.status, verdict.anomalies) == ("settled", ()), text
    grade = verdict.grades[0]
    return grade.payout_cents - STAKE - raised, grade.reasons


def modelled_net(game: BlackjackGame, one: Dealing) -> float:
    """What the analysis makes of it, in cents."""
    terms = terms_of(game)
    up, hole = values_of(one.dealer[:2])
    pays = pays_of(terms, up)
    chances = chances_of(draws_of(game)[up - 1], values_of(one.dealer)[1:])
    first = one.hands[0]
    if first.fresh and len(first.values) == 2 and sum(first.values) == 11 and ACE in first.values:
        return STAKE * terms.blackjack * (1.0 - float(chances[BLACKJACK]))
    if ends_at_once(terms, one.dealer):
        return -STAKE
    return STAKE * sum(gained(hand, chances, hole, pays) for hand in one.hands)


def chances_of(draws: Draws, drawn: Sequence[int]) -> Floats:
    """The one way in which the dealer's hand did end: certain; no way is a bust that pays."""
    chances = np.zeros(ENDINGS)
    node = 0
    for column in sorted((value - 1 for value in drawn), reverse=True):
        found = np.flatnonzero(
            (draws.parent == node) & (draws.column == column) & (draws.depth > 0)
        )
        if not len(found):
            return chances
        node = int(found[0])
    if draws.orders[node]:
        chances[draws.ending[node]] = 1.0
    return chances


def gained(hand: Hand, chances: Floats, hole: int, pays: Pays) -> float:
    """What one hand gains when the dealer's hand ends like this."""
    hands = every_hand()
    *before, last = walked(hand.values)
    column = hand.values[-1] - 1
    stakes = 2 if hand.doubled else 1
    if last < 0:
        return bust_gain(np.eye(VALUES)[column] + np.eye(VALUES)[hole - 1], column, stakes, pays)
    gain = gain_of(int(hands.points[last]), int(hands.cards[last]), chances, pays)
    if not hand.doubled:
        return gain + pays.single * float(chances[BLACKJACK])
    stood = Stood(np.zeros(len(hands.points)), np.zeros(len(hands.points)))
    stood.gain[last], stood.blackjack[last] = gain, chances[BLACKJACK]
    return double_gain(hands, before[-1], np.eye(VALUES)[column], stood, pays)


def walked(values: Sequence[int]) -> Iterator[int]:
    """The hands through which the cards take it, -1 at the end of a bust."""
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
    def test_pay_by_settlement_what_the_analysis_says(
        self, rules: str, without: str, own: set[str]
    ) -> None:
        """Issue 7, item 3: the same money for each. ``own`` ends come up in this game alone."""
        game = rule_set(rules).declaration
        assert isinstance(game, BlackjackGame)
        dealer = Dealer(game, without=without, seed=7)
        rounds = [dealer.deal() for _ in range(ROUNDS)]

        found = [settled(rules, one) for one in rounds]

        assert [modelled_net(game, one) for one in rounds] == [net for net, _ in found]
        reasons = {reason for _, some in found for reason in some}
        assert reasons == own | {
            BLACKJACK_WON,
            BUST,
            LOSE,
            LOSE_TO_BLACKJACK,
            PUSH,
            PUSH_OF_BLACKJACKS,
            WIN,
        }
