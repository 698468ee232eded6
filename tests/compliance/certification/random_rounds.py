"""Blackjack rounds dealt and decided at random, then settled."""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from compliance.certification.returns.blackjack.game_terms import Terms, terms_of
from rounds.rules.blackjack.dealer import draw_by_rule
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import total_of_values, values_of
from rounds.rules.catalogue import rule_set
from tests.rounds.rules.dealing import bet, dealt, judged

STAKE = 1000
TEN, ACE = 10, 1

Placed = tuple[str, str]
"""A place, or a multiplier card, with what belongs to it: a card, a value."""
Decide = Callable[[tuple[int, ...], int, Collection[str]], str]
"""Given the hand, the upcard and the letters that are allowed: one of these."""


class Hand(NamedTuple):
    """A finished hand with the place of each card."""

    cards: list[Placed]
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
    aside: list[Placed]


class Dealer:
    """Deals rounds of one game in which box 1 is played as ``decide`` says."""

    def __init__(self, game: BlackjackGame, decide: Decide) -> None:
        self.game = game
        self.terms = terms_of(game)
        self.decide = decide
        self.shoe: Iterator[str] = iter(())
        self.upcard = 0

    def deal(self, shoe: Iterable[str]) -> Dealing:
        """A whole round; the dealer's hand is always completed."""
        self.shoe = iter(shoe)
        own = self.take("1", "1")
        aside = self.take("2", "2") if self.game.always_dealt else []
        dealer = [next(self.shoe), next(self.shoe)]
        self.upcard = values_of(dealer)[0]
        if ends_at_once(self.terms, dealer):
            return Dealing("", [Hand(own)], dealer, aside)
        play, hands, thrown_away = self.open(own)
        while draw_by_rule(self.game, values_of(dealer)).has_to_draw:
            dealer.append(next(self.shoe))
        return Dealing(play, hands, dealer, aside + thrown_away)

    def take(self, *places: str) -> list[Placed]:
        """Cards from the shoe."""
        return [(place, next(self.shoe)) for place in places]

    def open(self, own: list[Placed]) -> tuple[str, list[Hand], list[Placed]]:
        """The play, its hands, and the discarded cards."""
        value, other_value = values_of(card for _, card in own)
        total = total_of_values((value, other_value))
        letters = ["S", "H", "D", *(["P"] if value == other_value else [])]
        if total.points in self.terms.zaps and not total.is_soft:
            letters.append("Z")
        first = (
            self.decide((value, other_value), self.upcard, letters) if total.points < 21 else "S"
        )
        if first == "P":
            halves = [
                self.go_on([own[number], *self.take(place)], place, fresh=False)
                for number, place in enumerate(("1a", "1b"))
            ]
            return "P" + ",".join(play for play, _ in halves), [hand for _, hand in halves], []
        if first == "Z":
            play, hand = self.go_on(self.take("1z", "1z"), "1z", fresh=False)
            return f"Z{play}", [hand], own
        play, hand = self.go_on(own, "1", fresh=True, first=first)
        return play, [hand], []

    def go_on(
        self, cards: list[Placed], place: str, *, fresh: bool, first: str = ""
    ) -> tuple[str, Hand]:
        """Hits until it stands or doubles."""
        hand = Hand(cards, fresh=fresh)
        is_half = place in ("1a", "1b")
        if is_half and hand.values[0] == ACE:
            return "", hand
        play = ""
        while total_of_values(hand.values).points < 21 and len(hand.cards) != self.terms.most_cards:
            may_double = not play and (self.terms.doubles_after_split or not is_half)
            letters = ["S", "H", "D"] if may_double else ["S", "H"]
            letter = first or self.decide(hand.values, self.upcard, letters)
            first = ""
            if letter == "S":
                break
            play += letter
            hand.cards.extend(self.take(place))
            if letter == "D":
                return play, hand._replace(doubled=True)
        return play, hand


def at_random(chance: random.Random) -> Decide:
    """Decisions that lead to long hands, splits and zaps."""

    def decide(_values: tuple[int, ...], _upcard: int, letters: Collection[str]) -> str:
        weights = {"S": 8, "H": 80, "D": 12, "P": 250, "Z": 250}
        return chance.choices(list(letters), [weights[letter] for letter in letters])[0]

    return decide


def ends_at_once(terms: Terms, dealer: Sequence[str]) -> bool:
    """Whether the dealer checks and has a blackjack."""
    up, hole = values_of(dealer[:2])
    return terms.under(up).is_looked_at and {up, hole} == {ACE, TEN}


def settled(
    rules: str, dealing: Dealing, multipliers: Collection[Placed] = ()
) -> tuple[int, tuple[str, ...]]:
    """The player's gain in cents, and the reasons, by settlement.

    ``multipliers`` are the cards of a Quantum round with their values; by default cards that are
    not dealt.
    """
    raised = STAKE * sum(dealing.play.count(letter) for letter in "DP")
    lies = [*(card for hand in dealing.hands for card in hand.cards), *dealing.aside]
    first = [card for card in lies if card[0] == "1"]
    cards = [
        *first[:2],
        *(card for card in lies if card[0] == "2"),
        *(("D", card) for card in dealing.dealer[:2]),
        *first[2:],
        *(card for card in lies if card[0] not in ("1", "2")),
        *(("D", card) for card in dealing.dealer[2:]),
    ]
    text = " ".join(f"{place}:{card}" for place, card in cards)
    fields = {"multipliers": tuple(multipliers)} if multipliers else {}
    verdict = judged(
        dealt(text, bet(play=dealing.play, raised_cents=raised), rules=rules, **fields)
    )
    assert (verdict.status, verdict.anomalies) == ("settled", ()), text
    grade = verdict.grades[0]
    return grade.payout_cents - STAKE - raised, grade.reasons


def game_of(rules: str) -> BlackjackGame:
    """The declaration of a blackjack."""
    game = rule_set(rules).declaration
    assert isinstance(game, BlackjackGame)
    return game
