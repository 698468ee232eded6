"""Every bet of a round graded; bets that are alike are graded once, however many there are."""

from rounds.rules.blackjack.bets import INSURANCE, MAIN, cost_of, play_of
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.pay import Multipliers, Result, grade_bet, grade_hands, result_of
from rounds.rules.blackjack.reading import Reading
from rounds.rules.blackjack.reasons import (
    BONUS_NOT_PLAYED,
    BONUS_NOT_REACHED,
    BONUS_WON,
    INSURANCE_LOST,
    INSURANCE_WON,
)
from rounds.rules.blackjack.side_bets import Opening
from rounds.rules.blackjack.table import DEALER
from rounds.rules.facts import Bet, Round
from rounds.rules.odds import Odds
from rounds.rules.verdict import BonusResult, Grade, void_grade

_Alike = tuple[object, ...]
"""What two bets must share to be paid alike."""


class Grader:
    """Grades the bets of one round in which nothing is wrong."""

    def __init__(
        self,
        game: BlackjackGame,
        reading: Reading,
        multipliers: Multipliers,
        bonus: BonusResult | None,
    ) -> None:
        self._game = game
        self._reading = reading
        self._multipliers = multipliers
        self._bonus = bonus
        self._side_bets = {side_bet.kind: side_bet for side_bet in game.side_bets}
        self._results: dict[_Alike, tuple[Result, ...]] = {}
        self._grades: dict[_Alike, Grade] = {}

    def grade_all(self, dealt: Round) -> tuple[Grade, ...]:
        """A grade for each bet, in their order."""
        grades = []
        for bet, void in zip(dealt.bets, self._reading.standing.voids, strict=True):
            if void is not None:
                grades.append(void_grade(bet, void))
                continue
            alike = (
                *(bet.kind, bet.box, bet.stake_cents, bet.golden),
                *(bet.play, bet.behind, bet.follows, self._alone(bet)),
            )
            grade = self._grades.get(alike)
            if grade is None:
                grade = self._grades[alike] = self._grade(bet)
            grades.append(grade)
        return tuple(grades)

    def _alone(self, bet: Bet) -> str | None:
        """The player, where he finished off line and shares his cards with nobody."""
        return bet.player if bet.player in self._reading.off_line else None

    def _grade(self, bet: Bet) -> Grade:
        if bet.kind == MAIN:
            return self._grade_main(bet)
        if bet.kind == INSURANCE:
            return self._grade_insurance(bet)
        if bet.kind == MEGA_FIRE_BLAZE and self._bonus is not None:
            return _grade_bonus(bet, self._bonus)
        return self._grade_side_bet(bet)

    def _grade_main(self, bet: Bet) -> Grade:
        results = self._results_of(bet)
        if bet.behind and not bet.follows:  # the stake rides on the first hand, never raised
            results = (results[0]._replace(doubles=0),)
        raised_cents = cost_of(bet, self._reading.standing)
        return grade_hands(
            results, stake_cents=bet.stake_cents, golden=bet.golden, raised_cents=raised_cents
        )

    def _results_of(self, bet: Bet) -> tuple[Result, ...]:
        """What became of the hands that the bet rides on."""
        table = self._reading.table_of(bet)
        play = bet.box or 0, play_of(bet, self._reading.standing)
        key = self._alone(bet), play
        if key not in self._results:
            self._results[key] = tuple(
                result_of(self._game, hand, table.dealer, self._multipliers)
                for hand in table.boxes[play].hands
            )
        return self._results[key]

    def _grade_insurance(self, bet: Bet) -> Grade:
        """Decided on the dealer's first two cards alone."""
        won = self._reading.table_of(bet).dealer.has_blackjack
        reason, wins = INSURANCE_LOST, None
        if won:
            reason, wins = INSURANCE_WON, self._game.insurance_pays
        return grade_bet(reason, wins, stake_cents=bet.stake_cents, golden=bet.golden)

    def _grade_side_bet(self, bet: Bet) -> Grade:
        """Decided on the live cards, whatever happens to the hand later."""
        streams = self._reading.live.streams
        first, second = streams[str(bet.box)][:2]
        upcard, hole_card = streams[DEALER][:2]
        side_bet = self._side_bets[bet.kind]
        combination = side_bet.combination(Opening((first, second), (upcard, hole_card)))
        wins = side_bet.pays.get(combination)
        return grade_bet(combination, wins, stake_cents=bet.stake_cents, golden=bet.golden)


def _grade_bonus(bet: Bet, bonus: BonusResult) -> Grade:
    """[MFB] Mega Fire Blaze Bonus: the stake times the total, the stake among it."""
    if bonus.level is None:
        return grade_bet(BONUS_NOT_REACHED, None, stake_cents=bet.stake_cents, golden=bet.golden)
    if bonus.multiplier is None:
        return void_grade(bet, BONUS_NOT_PLAYED)
    wins = Odds(int(bonus.multiplier) - 1, 1)
    return grade_bet(BONUS_WON, wins, stake_cents=bet.stake_cents, golden=bet.golden)
