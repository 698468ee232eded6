"""A second, naive blackjack: it deals a round again from its document.

It shares nothing with the rules but the readings. It takes one card after the other from the place
where the rules require the next one, and at the end no card may be left. Slow, short, and only
for rounds without golden chips and bonus bets; money is computed in fractions. Hands finished off
line are dealt again by ``naive_off_line``.
"""

from collections import Counter
from fractions import Fraction
from math import floor
from typing import Any, Final, NamedTuple

from tests.rounds.properties.naive_voids import is_void
from tests.rounds.properties.simulated import Document, cents, raise_of


class House(NamedTuple):
    """The readings of one table."""

    decks: int
    hits_soft_17: bool
    looks_under: str
    """The ranks under which the dealer looks, before anybody plays."""
    plays_against: str
    """The ranks under which plays against a blackjack are taken all the same."""
    gives_back_under: str
    """The ranks under which a blackjack gives back what doubling added."""
    double_after_split: bool
    zaps: bool
    most_cards: int
    always: tuple[int, ...]
    """Boxes that are dealt even if nobody bets on them."""


_TENS: Final = "TJQK"
HOUSES: Final = {
    "blackjack/1": House(8, False, "A", _TENS, "", False, False, 99, ()),
    "mega-fire-blaze-blackjack/1": House(
        8, False, "A", f"A{_TENS}", _TENS, True, False, 10, (1, 2)
    ),
    "quantum-blackjack/1": House(
        6, True, f"A{_TENS}", f"A{_TENS}", f"A{_TENS}", True, False, 99, ()
    ),
    "zappit-blackjack/1": House(6, True, f"A{_TENS}", "", "", True, True, 13, ()),
}


class Anomalous(Exception):
    """The round is illegal."""


class Played(NamedTuple):
    """A completed hand."""

    cards: tuple[str, ...]
    doubled: bool
    fresh: bool
    """Neither split nor zapped, so that it may be a blackjack."""

    @property
    def total(self) -> int:
        """The value of the hand."""
        return best(self.cards)[0]

    @property
    def is_blackjack(self) -> bool:
        """Ace and ten as dealt."""
        return self.fresh and len(self.cards) == 2 and self.total == 21


def best(cards: tuple[str, ...]) -> tuple[int, bool]:
    """The best total, found by trying both values of every Ace; and whether one counts eleven."""
    totals = {(0, False)}
    for card in cards:
        values = (1, 11) if card[0] == "A" else (10,) if card[0] in _TENS else (int(card[0]),)
        totals = {(sum_ + value, soft or value == 11) for sum_, soft in totals for value in values}
    alive = {total for total in totals if total[0] <= 21}
    return max(alive) if alive else (min(totals)[0], False)


class Pile:
    """The cards of one place, and how many of them were taken."""

    def __init__(self, cards: list[str]) -> None:
        self.cards = cards
        self.taken = 0

    def card(self, number: int) -> str:
        """The card of this number, which is then explained."""
        if number >= len(self.cards):
            raise Anomalous(f"no card {number}")
        self.taken = max(self.taken, number + 1)
        return self.cards[number]


class Deal:
    """One round being dealt again."""

    def __init__(self, document: Document, *, away: frozenset[str] = frozenset()) -> None:
        """``away`` are players whose hands are not played at this table."""
        self.house = HOUSES[document["rules"]]
        self.away = away
        self.document = document
        self.piles: dict[str, Pile] = {}
        for place, card in document["cards"]:
            self.piles.setdefault(place, Pile([])).cards.append(card)
        self.bets = [bet for bet in document["bets"] if not is_void(document, bet)]
        self.mains = [bet for bet in self.bets if bet["kind"] == "main"]
        self.hands: dict[tuple[int, str], list[Played]] = {}
        self.dealer: tuple[str, ...] = ()

    def play(self) -> None:
        """Everything from the first card to the last. Raises Anomalous for an illegal round."""
        self.play_out()
        self.check_that_nothing_is_left()

    def play_out(self) -> None:
        """The deal, the plays, the dealer's draw."""
        boxes = sorted({bet["box"] for bet in self.mains if not bet.get("behind")})
        for box in self.house.always or boxes:
            self._take(f"{box}", 2)
        self.dealer = self._take("D", 2)
        self._check_order([*map(str, self.house.always or boxes), "D"])
        dealer_has_it = best(self.dealer)[0] == 21
        upcard = self.dealer[0][0]
        for bet in self.mains:
            key = bet["box"], bet.get("play", "")
            if bet.get("behind") or bet["player"] in self.away or key in self.hands:
                continue
            if dealer_has_it and upcard in self.house.looks_under and key[1]:
                self.require(upcard in self.house.plays_against)
            self.hands[key] = self._play_box(*key)
        self._draw()

    def check_that_nothing_is_left(self) -> None:
        """Every card was taken, and the decks hold them all."""
        self.require(all(pile.taken == len(pile.cards) for pile in self.piles.values()))
        copies = Counter(card for _, card in self.document["cards"])
        self.require(max(copies.values(), default=0) <= self.house.decks)

    def require(self, condition: bool) -> None:
        """Raises Anomalous if the condition is false."""
        if not condition:
            raise Anomalous

    def _take(self, place: str, count: int, start: int = 0) -> tuple[str, ...]:
        pile = self.piles.setdefault(place, Pile([]))
        return tuple(pile.card(number) for number in range(start, start + count))

    def _check_order(self, places: list[str]) -> None:
        """The opening cards of all places come before any other card."""
        order = [place for place, _ in self.document["cards"]]
        opening = order[: 2 * len(places)]
        self.require(Counter(opening) == Counter(dict.fromkeys(places, 2)))

    def _play_box(self, box: int, play: str) -> list[Played]:
        first_two = self._take(f"{box}", 2)
        before, split, after = play.partition("P")
        if not split:
            return [self._play_hand(f"{box}", first_two, play, drawn=2, is_split=False)]
        self.require(not before)
        self.require(best((first_two[0],))[0] % 10 == best((first_two[1],))[0] % 10)
        hands = []
        for letter, card, decisions in zip("ab", first_two, after.split(","), strict=True):
            cards = (card, *self._take(f"{box}{letter}", 1))
            self.require(not (card[0] == "A" and decisions))
            hands.append(
                self._play_hand(f"{box}{letter}", cards, decisions, drawn=1, is_split=True)
            )
        return hands

    def _play_hand(
        self, place: str, cards: tuple[str, ...], decisions: str, *, drawn: int, is_split: bool
    ) -> Played:
        doubled = stood = zapped = False
        for number, decision in enumerate(decisions):
            total, soft = best(cards)
            self.require(not stood and total < 21 and len(cards) < self.house.most_cards)
            if decision == "S":
                stood = True
                continue
            if decision == "Z":
                hard_15_to_18 = not soft and 15 <= total <= 18
                self.require(self.house.zaps and not number and not is_split and hard_15_to_18)
                place, drawn, zapped = f"{place}z", 2, True
                cards = self._take(place, 2)
                continue
            if decision == "D":
                may = len(cards) == 2 and (self.house.double_after_split or not is_split)
                self.require(may)
                doubled = stood = True
            cards += self._take(place, 1, drawn)
            drawn += 1
        return Played(cards, doubled, not (is_split or zapped))

    def _draw(self) -> None:
        """Draws to seventeen if a hand depends on it, otherwise optionally, but by the rule."""
        waits = any(
            hand.total <= 21 and not hand.is_blackjack
            for hands in self.hands.values()
            for hand in hands
        )
        begun = len(self.piles["D"].cards) > 2
        while waits or begun:
            total, soft = best(self.dealer)
            if total >= 17 and not (total == 17 and soft and self.house.hits_soft_17):
                return
            self.dealer += self._take("D", 1, len(self.dealer))

    def pay(self, bet: Document) -> int:
        """The payout of a main bet, in cents."""
        own = bet
        if bet.get("behind"):
            (own,) = [
                main for main in self.mains if main["box"] == bet["box"] and not main.get("behind")
            ]
        hands = self.hands[bet["box"], own.get("play", "")]
        stake = cents(bet["stake"])
        if bet.get("behind") and not bet.get("follows", True):
            return self._pay_hand(hands[0]._replace(doubled=False), stake)
        assert raise_of(bet) == stake * (len(hands) - 1 + sum(hand.doubled for hand in hands))
        return sum(self._pay_hand(hand, stake) for hand in hands)

    def _pay_hand(self, hand: Played, stake: int) -> int:
        staked = stake * (2 if hand.doubled else 1)
        points, held = best(self.dealer)[0], len(self.dealer)
        factor = self._factor(hand)
        rules = self.document["rules"]
        if held == 2 and points == 21:
            return self._against_blackjack(hand, stake)
        if hand.total > 21:
            return 0
        if hand.is_blackjack:
            return _win(staked, Fraction(3, 2), factor)
        won = points > 21 or hand.total > points
        if rules.startswith("mega") and len(hand.cards) == 10:
            won = True
        elif points > 21 and not factor and self._is_forgiven(points, held):
            return staked
        if won:
            return _win(staked, Fraction(1), factor)
        return staked if hand.total == points else 0

    def _against_blackjack(self, hand: Played, stake: int) -> int:
        """A blackjack gets its stake; other hands may get the raise of a double back."""
        if hand.is_blackjack:
            return stake
        gives_back = self.dealer[0][0] in self.house.gives_back_under
        return stake if hand.doubled and gives_back else 0

    def _is_forgiven(self, points: int, held: int) -> bool:
        """Whether the dealer's bust pushes the standing hands."""
        rules = self.document["rules"]
        if rules.startswith("quantum"):
            return held == 3
        return rules.startswith("zappit") and points == 22

    def _factor(self, hand: Played) -> Fraction:
        """The sum of the round's multiplier cards in the hand, each once."""
        cards: dict[str, Any] = self.document.get("multipliers", {})
        return sum((Fraction(cards[card]) for card in cards if card in hand.cards), Fraction(0))


def _win(staked: int, odds: Fraction, factor: Fraction) -> int:
    if factor:
        return _rounded(staked * odds * factor)
    return staked + _rounded(staked * odds)


def _rounded(amount: Fraction) -> int:
    return floor(amount + Fraction(1, 2))
