"""Explanations of the bets of a round of the blackjack family.

The steps use the results of the functions that judge; nothing is settled a second time.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from rounds.rules.blackjack.bets import INSURANCE, MAIN, seat_of
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.explained.fire_blaze_bonus import explain_bonus_bet, explain_points
from rounds.rules.blackjack.explained.main_bet import explain_main_bet
from rounds.rules.blackjack.explained.other_bets import explain_insurance, explain_side_bet
from rounds.rules.blackjack.explained.placing import explain_placing_at_box
from rounds.rules.blackjack.explained.void import explain_void_at_blackjack
from rounds.rules.blackjack.grading import Grader
from rounds.rules.blackjack.interpret_round import Reading, read_round
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.multipliers import Multipliers, multipliers_of
from rounds.rules.blackjack.reasons import BONUS_NOT_PLAYED
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, Explanation, Graded, Moment, Step, make_step
from rounds.rules.explained.reported import explain_each
from rounds.rules.explained.void import explain_refund
from rounds.rules.facts import Bet, Disconnect, Round
from rounds.rules.verdict import VOID, Grade

LEFT_AFTER_CLOSING: Final = gettext_noop(
    "Your connection was lost at %(left)s, after betting had closed at %(closed)s. The bet remained"
    " valid and was decided by the cards on the table."
)
FINISHED_OFF_LINE: Final = gettext_noop(
    "Your connection was lost at %(left)s, after betting had closed at %(closed)s. The hand was"
    " completed separately for you, from card %(next)s of the round, with these cards: %(cards)s."
)


def explain(
    game: BlackjackGame, dealt: Round, graded: Sequence[Graded], /
) -> tuple[Explanation, ...]:
    """The explanation of each bet, in order."""
    return explain_each(graded, _Explainer(game, dealt).steps_of)


class _Explainer:
    """Explains bets of one round; interprets its cards on demand."""

    def __init__(self, game: BlackjackGame, dealt: Round) -> None:
        self._game = game
        self._dealt = dealt
        self._gone = {entry.player: entry for entry in dealt.disconnects}

    @cached_property
    def _reading(self) -> Reading:
        return read_round(self._game, self._dealt)

    @cached_property
    def _multipliers(self) -> Multipliers:
        return multipliers_of(self._game, self._dealt) or {}

    @cached_property
    def _grader(self) -> Grader:
        return Grader(self._game, self._reading, self._multipliers, None)

    def steps_of(self, bet: Bet, grade: Grade) -> Iterator[Step]:
        """All steps of a bet."""
        yield explain_placing_at_box(bet)
        if grade.outcome == VOID:
            yield from self._void(bet, grade)
        else:
            if bet.player in self._gone:
                yield self._connection_lost(bet, self._gone[bet.player])
            yield from self._decided(bet)

    def _void(self, bet: Bet, grade: Grade) -> Iterator[Step]:
        (reason,) = grade.reasons
        if reason == BONUS_NOT_PLAYED and self._game.bonus:
            yield from explain_points(self._game.bonus, self._reading)
        yield explain_void_at_blackjack(self._dealt, bet, reason)
        yield from explain_refund(bet)

    def _decided(self, bet: Bet) -> Iterator[Step]:
        """The steps of a bet that counts."""
        game, reading = self._game, self._reading
        if bet.kind == MAIN:
            results = self._grader.results_of(bet)
            yield from explain_main_bet(game, reading, self._multipliers, bet, results)
        elif bet.kind == INSURANCE:
            yield from explain_insurance(game, reading, bet)
        elif bet.kind == MEGA_FIRE_BLAZE and game.bonus:
            yield from explain_bonus_bet(game.bonus, reading, bet, self._dealt.bonus)
        else:
            yield from explain_side_bet(game, reading, bet)

    def _connection_lost(self, bet: Bet, disconnect: Disconnect) -> Step:
        """The effect of the lost connection on the bet."""
        left, closed = Moment(disconnect.at), Moment(self._dealt.closed_at)
        if bet.player not in self._reading.off_line or bet.kind not in (MAIN, INSURANCE):
            return make_step(LEFT_AFTER_CLOSING, left=left, closed=closed)
        box = str(seat_of(bet)[1])
        cards = tuple(
            card for place, card in disconnect.cards if place == DEALER or place[0] == box
        )
        return make_step(
            FINISHED_OFF_LINE,
            left=left,
            closed=closed,
            next=(disconnect.cards_seen or 0) + 1,
            cards=Cards(cards),
        )
