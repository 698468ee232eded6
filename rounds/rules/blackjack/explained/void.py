"""The steps of void bets of the blackjack family."""

from typing import Final

from rounds.rules.blackjack.bets import INSURANCE, ON_OWN_BOX, WITHOUT_MAIN, WITHOUT_OWNER
from rounds.rules.blackjack.reasons import BONUS_NOT_PLAYED
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Moment, Step, make_step
from rounds.rules.explained.void import explain_void
from rounds.rules.facts import Bet, Round
from rounds.rules.void import LATE

INSURED_OUT_OF_TIME: Final = gettext_noop(
    "Your insurance was placed at %(placed)s. Insurance was available after betting had closed at"
    " %(closed)s and until the round ended at %(ended)s, so yours was not valid."
)
NOBODY_PLAYED: Final = gettext_noop(
    "The hand of box %(box)s, which your bet was to follow, was not played, so your bet was not"
    " valid."
)
OWN_HAND: Final = gettext_noop(
    "The hand of box %(box)s was your own. A bet behind follows the hand of another player, so your"
    " bet was not valid."
)
MAIN_DID_NOT_COUNT: Final = gettext_noop(
    "Your main bet on box %(box)s was not valid, and this bet depends on it."
)
BONUS_BROKE_DOWN: Final = gettext_noop(
    "The points had earned the bonus, but a malfunction prevented it from being played, so this bet"
    " was not valid."
)

_BY_BOX: Final = {
    WITHOUT_OWNER: NOBODY_PLAYED,
    ON_OWN_BOX: OWN_HAND,
    WITHOUT_MAIN: MAIN_DID_NOT_COUNT,
}


def explain_void_at_blackjack(dealt: Round, bet: Bet, reason: str) -> Step:
    """The reason why a bet is void."""
    if reason in _BY_BOX:
        return make_step(_BY_BOX[reason], rule=reason, box=bet.box or 0)
    if reason == BONUS_NOT_PLAYED:
        return make_step(BONUS_BROKE_DOWN, rule=reason)
    if reason == LATE and bet.kind == INSURANCE:
        return make_step(
            INSURED_OUT_OF_TIME,
            rule=LATE,
            placed=Moment(bet.placed_at),
            closed=Moment(dealt.closed_at),
            ended=Moment(dealt.ended_at),
        )
    return explain_void(dealt, bet, reason)
