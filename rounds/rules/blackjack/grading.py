"""Every bet of a round graded; bets that are alike are graded once, however many there are."""

from collections.abc import Mapping, Sequence
from functools import cache

from rounds.rules.blackjack.bets import INSURANCE, MAIN, play_of
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.hands import Hand
from rounds.rules.blackjack.multipliers import Multipliers, factor_of
from rounds.rules.blackjack.pay import Result, grade_bet, grade_hands, result_of
from rounds.rules.blackjack.reading import Reading
from rounds.rules.blackjack.reasons import (
    BONUS_NOT_PLAYED,
    BONUS_NOT_REACHED,
    BONUS_WON,
    INSURANCE_LOST,
    INSURANCE_WON,
)
from rounds.rules.blackjack.side_bets import Opening, SideBet
from rounds.rules.blackjack.table import DEALER, BoxPlay, Table
from rounds.rules.facts import Bet
from rounds.rules.odds import Odds
from rounds.rules.verdict import BonusResult, Grade, void_grade


class _Results(dict[BoxPlay, tuple[Result, ...]]):
    """What became of the hands of each play at a table, worked out once for all who share it."""

    def __init__(self, game: BlackjackGame, table: Table, multipliers: Multipliers) -> None:
        self._game = game
        self._table = table
        self._multipliers = multipliers

    def __missing__(self, play: BoxPlay) -> tuple[Result, ...]:
        dealer = self._table.dealer
        results = tuple(
            [
                result_of(self._game, hand, dealer, self._factor_of(play[0], hand))
                for hand in self._table.boxes[play].hands
            ]
        )
        self[play] = results
        return results

    def _factor_of(self, box: int, hand: Hand) -> Odds | None:
        if not self._multipliers:
            return None
        streams = self._table.streams
        cards = [streams[f"{box}{name}"][number] for name, number, _ in hand.cards]
        return factor_of(cards, self._multipliers)


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
        self._bonus = bonus
        self._live = _Results(game, reading.live, multipliers)
        self._off_line = {
            player: _Results(game, own.table, multipliers)
            for player, own in reading.off_line.items()
        }
        self._side_bets: dict[tuple[str, int | None], tuple[str, Odds | None]] = {}

    def grade_all(self, bets: Sequence[Bet]) -> tuple[Grade, ...]:
        """A grade for each bet, in their order."""
        grades = []
        for bet, void in zip(bets, self._reading.standing.voids, strict=True):
            if void is not None:
                grades.append(void_grade(bet, void))
            elif bet.kind == MAIN:
                grades.append(self._grade_main(bet))
            elif bet.kind == INSURANCE:
                grades.append(self._grade_insurance(bet))
            elif bet.kind == MEGA_FIRE_BLAZE and self._bonus is not None:
                grades.append(_grade_bonus(bet, self._bonus))
            else:
                grades.append(self._grade_side_bet(bet))
        return tuple(grades)

    def _grade_main(self, bet: Bet) -> Grade:
        """The raise is known to be what the play costs."""
        results = self._off_line.get(bet.player, self._live) if self._off_line else self._live
        if not bet.behind:
            hands = results[bet.box or 0, bet.play]
        else:
            hands = results[bet.box or 0, play_of(bet, self._reading.standing)]
            if not bet.follows:  # the stake rides on the first hand, never raised
                hands = (hands[0]._replace(doubles=0),)
        return grade_hands(hands, bet.stake_cents, bet.raised_cents, bet.golden)

    def _grade_insurance(self, bet: Bet) -> Grade:
        """Decided on the dealer's first two cards alone."""
        if self._reading.table_of(bet).dealer.has_blackjack:
            return grade_bet(INSURANCE_WON, self._game.insurance_pays, bet.stake_cents, bet.golden)
        return grade_bet(INSURANCE_LOST, None, bet.stake_cents, bet.golden)

    def _grade_side_bet(self, bet: Bet) -> Grade:
        """Decided on the live cards, whatever happens to the hand later."""
        key = bet.kind, bet.box
        if key not in self._side_bets:
            self._side_bets[key] = self._side_bet(bet.kind, str(bet.box))
        combination, wins = self._side_bets[key]
        return grade_bet(combination, wins, bet.stake_cents, bet.golden)

    def _side_bet(self, kind: str, place: str) -> tuple[str, Odds | None]:
        """What a side bet on a box sees in the opening cards, and what that wins."""
        streams = self._reading.live.streams
        first, second = streams[place][:2]
        upcard, hole_card = streams[DEALER][:2]
        side_bet = side_bets_of(self._game)[kind]
        combination = side_bet.combination(Opening((first, second), (upcard, hole_card)))
        return combination, side_bet.pays.get(combination)


@cache
def side_bets_of(game: BlackjackGame) -> Mapping[str, SideBet]:
    """The side bets of a game by kind."""
    return {side_bet.kind: side_bet for side_bet in game.side_bets}


def _grade_bonus(bet: Bet, bonus: BonusResult) -> Grade:
    """[MFB] Mega Fire Blaze Bonus: the stake times the total, the stake among it."""
    if bonus.level is None:
        return grade_bet(BONUS_NOT_REACHED, None, bet.stake_cents, bet.golden)
    if bonus.multiplier is None:
        return void_grade(bet, BONUS_NOT_PLAYED)
    wins = Odds(int(bonus.multiplier) - 1, 1)
    return grade_bet(BONUS_WON, wins, bet.stake_cents, bet.golden)
