"""The simulated game of baccarat."""

from collections.abc import Iterable, Sequence
from random import Random

from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.rule_set import RuleSet
from rounds.simulation.attendance import Attendance, Visitor
from rounds.simulation.baccarat_rounds.coup import BaccaratBetting, burnt_face_down, play_coup
from rounds.simulation.customers import Customer
from rounds.simulation.dealing import Burn, Pace, Style
from rounds.simulation.round_in_play import RoundInPlay
from rounds.simulation.shoe import ShuffledShoe


class BaccaratDealing:
    """Baccarat, with a number of places for visitors at a table."""

    rule_set: RuleSet = BACCARAT_1
    blaze: FireBlaze | None = None
    pace: Pace = Pace(betting=(14_000, 18_000), payout=(5_000, 9_000), pause=(5_000, 10_000))

    def __init__(self, *, places: int) -> None:
        self._places = places

    def burn(self, shoe: ShuffledShoe) -> Burn:
        """One card face up, and its value of cards face down ([BAC] Carte nuove annullate)."""
        card = shoe.draw()
        face_down = burnt_face_down(card)
        shoe.discard(face_down)
        return Burn(face_up=(card,), face_down=face_down)

    def attendance(self, rng: Random) -> Attendance:
        """Players without boxes."""
        return Attendance(places=self._places, choose_boxes=lambda _rng, _taken: (), rng=rng)

    def place_bets(
        self, game: RoundInPlay, visitors: Sequence[Visitor], crowd: Iterable[Customer]
    ) -> None:
        """Visitors first, then the crowd."""
        betting = BaccaratBetting(game=game)
        betting.place_bets(visitors)
        for customer in crowd:
            betting.admit(customer)

    def may_start(self, game: RoundInPlay) -> bool:  # noqa: ARG002 - other games need the bets
        """Always: a coup is dealt even without bets."""
        return True

    def play(self, game: RoundInPlay, style: Style) -> None:  # noqa: ARG002 - no choice left to it
        """Deal the coup."""
        play_coup(game)
