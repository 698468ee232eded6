"""Grading of a round's bets; equal bets are graded once."""

from collections.abc import Mapping, Sequence
from functools import cache

from rounds.rules.blackjack.bets import INSURANCE, MAIN, play_of
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.hands import Hand
from rounds.rules.blackjack.interpret_round import Reading
from rounds.rules.blackjack.layout import DEALER, BoxPlay
from rounds.rules.blackjack.multipliers import Multipliers, factor_of
from rounds.rules.blackjack.pay import Result, grade_bet, grade_hands, result_of
from rounds.rules.blackjack.reasons import (
    BONUS_NOT_PLAYED,
    BONUS_NOT_REACHED,
    BONUS_WON,
    INSURANCE_LOST,
    INSURANCE_WON,
)
from rounds.rules.blackjack.side_bets import Opening, SideBet
from rounds.rules.blackjack.table import Table
from rounds.rules.facts import Bet
from rounds.rules.odds import Odds
from rounds.rules.verdict import BonusResult, Grade, void_grade


class _Results(dict[BoxPlay, tuple[Result, ...]]):
    """The results of the hands of each play at a table, computed on demand."""

    def __init__(self, game: BlackjackGame, table: Table, multipliers: Multipliers) -> None:
        self._game = game
        self._table = table
        self._multipliers = multipliers

    def __missing__(self, play: BoxPlay) -> tuple[Result, ...]:
        game, dealer, box = self._game, self._table.dealer, play[0]
        hands = self._table.boxes[play].hands
        results = tuple(
            [result_of(game, hand, dealer, self._factor_of(box, hand)) for hand in hands]
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
    """Grades the bets of one round without anomalies."""

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
        self._off_line = (
            {
                player: _Results(game, finished.table, multipliers)
                for player, finished in reading.off_line.items()
            }
            if reading.off_line
            else {}
        )
        self._combinations: dict[tuple[str, int | None], str] = {}

    def grade_all(self, bets: Sequence[Bet]) -> tuple[Grade, ...]:
        """The grade of each bet, in order."""
        return tuple(map(self._grade, bets, self._reading.classified.voids))

    def _grade(self, bet: Bet, void: str | None) -> Grade:
        if void is not None:
            return void_grade(bet, void)
        if bet.kind == MAIN:
            return self._grade_main(bet)
        if bet.kind == INSURANCE:
            return self._grade_insurance(bet)
        if bet.kind == MEGA_FIRE_BLAZE and self._bonus is not None:
            return _grade_bonus(bet, self._bonus)
        return self._grade_side_bet(bet)

    def results_of(self, bet: Bet) -> tuple[Result, ...]:
        """The results of a main bet's hands, with the doubles that it followed."""
        results = self._off_line.get(bet.player, self._live) if self._off_line else self._live
        if not bet.behind:
            return results[bet.box or 0, bet.play]
        hands = results[bet.box or 0, play_of(bet, self._reading.classified)]
        if bet.follows:
            return hands
        return (hands[0]._replace(doubles=0),)  # the stake stays on the first hand, not raised

    def _grade_main(self, bet: Bet) -> Grade:
        """The raise is that of the play, else the round would be held."""
        hands = self.results_of(bet)
        return grade_hands(hands, bet.stake_cents, bet.raised_cents, bet.golden)

    def _grade_insurance(self, bet: Bet) -> Grade:
        """Decided by the dealer's first two cards."""
        if self._reading.table_of(bet).dealer.has_blackjack:
            return grade_bet(INSURANCE_WON, self._game.insurance_pays, bet.stake_cents, bet.golden)
        return grade_bet(INSURANCE_LOST, None, bet.stake_cents, bet.golden)

    def _grade_side_bet(self, bet: Bet) -> Grade:
        """Decided by the live opening cards."""
        key = bet.kind, bet.box
        combination = self._combinations.get(key)
        if combination is None:
            combination = self._combinations[key] = self._combination(bet.kind, bet.box)
        wins = side_bets_of(self._game)[bet.kind].pays.get(combination)
        return grade_bet(combination, wins, bet.stake_cents, bet.golden)

    def _combination(self, kind: str, box: int | None) -> str:
        """The combination of a side bet on a box."""
        streams = self._reading.live.streams
        opening = Opening(streams[str(box)], streams[DEALER])
        return side_bets_of(self._game)[kind].combination(opening)


@cache
def side_bets_of(game: BlackjackGame) -> Mapping[str, SideBet]:
    """The side bets of a game by kind."""
    return {side_bet.kind: side_bet for side_bet in game.side_bets}


def _grade_bonus(bet: Bet, bonus: BonusResult) -> Grade:
    """[MFB] Mega Fire Blaze Bonus: the stake times the multiplier, stake included."""
    if bonus.level is None:
        return grade_bet(BONUS_NOT_REACHED, None, bet.stake_cents, bet.golden)
    if bonus.multiplier is None:
        return void_grade(bet, BONUS_NOT_PLAYED)
    wins = Odds(int(bonus.multiplier) - 1, 1)
    return grade_bet(BONUS_WON, wins, bet.stake_cents, bet.golden)
