"""One simulated table: an endless sequence of shoes, rounds and pauses."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rounds.rules.facts import Round, ShoeOpening
from rounds.rules.shoe import Shoe
from rounds.simulation.attendance import crowd_of
from rounds.simulation.chance import between, generator, happens, pick
from rounds.simulation.customers import Customer
from rounds.simulation.dealing import Dealing, Style
from rounds.simulation.identifiers import DAY_MS, shoe_reference
from rounds.simulation.recording import Recorder
from rounds.simulation.reporting import report_payouts
from rounds.simulation.round_in_play import RoundInPlay
from rounds.simulation.shoe import ShuffledShoe

_NEW_SHOE_MS: Final = (60_000, 120_000)
_SETTLING_IN_MS: Final = (6_000, 15_000)
_FIRST_CARD_MS: Final = (1_000, 2_500)
_LOST_WHILE_BETTING: Final = 0.004
_LOST_WHILE_PLAYING: Final = 0.003
_REPORTING: Final = (0.0, 0.1, 0.5)
_WRITING_STANDS: Final = (0.2, 0.6, 0.95)
_DRAWING_ANYWAY: Final = (0.02, 0.1, 0.9)


class Place(NamedTuple):
    """A table's code, its number in the casino, and its game."""

    code: str
    number: int
    game: Dealing


class Table:
    """Deals legal rounds from ``start`` (milliseconds since 1970).

    ``bets_per_round`` is the minimal number of bets of a round, 0 for the visitors' bets only.
    ``known`` is the state of the shoe according to the feed; after a faulty round it differs from
    the physical shoe.
    """

    def __init__(self, *, place: Place, seed: str, start: int, bets_per_round: int) -> None:
        self.rng = generator(seed, place.code)
        self.known: Shoe | None = None
        self.place = place
        self._game = place.game
        self._bets_per_round = bets_per_round
        self._now = start + between(self.rng, 0, _NEW_SHOE_MS[1])
        self._attendance = place.game.attendance(self.rng)
        self._style = Style(
            draws_anyway=pick(self.rng, _DRAWING_ANYWAY),
            writes_stands=pick(self.rng, _WRITING_STANDS),
            reports=pick(self.rng, _REPORTING),
        )
        self._recorder = Recorder(
            code=place.code, table=place.number, rules=place.game.rule_set.name
        )
        self._shoe_day = 0
        self._shoe_number = 0
        self._shoe_reference: str | None = None
        self.shoe = self._shuffle()

    def open_shoe_if_due(self) -> ShoeOpening | None:
        """The opening of a new shoe, before the first round and after the cut card.

        None while the shoe lasts, and if the cards are shuffled for every round.
        """
        if not self._game.rule_set.uses_shoe:
            self.shoe = self._shuffle()
            return None
        if self._shoe_reference is not None and not self.shoe.cut_card_is_out:
            return None
        self.shoe = self._shuffle()
        burn = self._game.burn(self.shoe)
        self._now += between(self.rng, *_NEW_SHOE_MS)
        self._shoe_reference = self._next_shoe_reference()
        opening = ShoeOpening(
            shoe=self._shoe_reference,
            table=self.place.code,
            opened_at=self._now,
            burnt=burn.face_up,
            burnt_face_down=burn.face_down,
        )
        self._now += between(self.rng, *_SETTLING_IN_MS)
        self.known = Shoe.opened(opening)
        return opening

    def deal_round(self) -> Round:
        """The next legal round, not yet ``record``-ed."""
        while True:
            game = self._take_bets()
            if self._game.may_start(game):
                break
        game.wait(*_FIRST_CARD_MS)
        self._game.play(game, self._style)
        game.wait(*self._game.pace.payout)
        self._now = game.now + between(self.rng, *self._game.pace.pause)
        dealt = self._recorder.record(game, shoe=self._shoe_reference, known=self.known)
        if happens(self.rng, self._style.reports):
            return report_payouts(dealt, rule_set=self._game.rule_set, known=self.known)
        return dealt

    def record(self, delivered: Round) -> None:
        """Advance ``known`` by the round as delivered."""
        if self.known is not None:
            self.known = self.known.after(delivered)

    def _take_bets(self) -> RoundInPlay:
        opened_at = self._now
        closed_at = opened_at + between(self.rng, *self._game.pace.betting)
        game = RoundInPlay(rng=self.rng, shoe=self.shoe, opened_at=opened_at, closed_at=closed_at)
        visitors = self._attendance.next_round()
        for visitor in visitors:
            if happens(self.rng, _LOST_WHILE_BETTING):
                game.left_early[visitor.customer.number] = between(
                    self.rng, opened_at, closed_at - 1
                )
        self._game.place_bets(game, visitors, self._crowd(game))
        for wager in game.wagers:
            if wager.counts and happens(self.rng, _LOST_WHILE_PLAYING):
                game.cut_off.add(wager.customer.number)
        self._now = closed_at + between(self.rng, *_SETTLING_IN_MS)
        return game

    def _crowd(self, game: RoundInPlay) -> Iterator[Customer]:
        """Additional customers, until there are enough bets."""
        for customer in crowd_of(self.rng, count=self._bets_per_round):
            if len(game.wagers) >= self._bets_per_round:
                return
            yield customer

    def _shuffle(self) -> ShuffledShoe:
        return ShuffledShoe(decks=self._game.rule_set.decks, rng=self.rng)

    def _next_shoe_reference(self) -> str:
        day = self._now // DAY_MS
        self._shoe_number = self._shoe_number + 1 if day == self._shoe_day else 1
        self._shoe_day = day
        return shoe_reference(table=self.place.code, opened_at=self._now, number=self._shoe_number)
