"""Why a bet of the family never counted."""

from typing import Final

from rounds.rules.blackjack.bets import INSURANCE, ON_OWN_BOX, WITHOUT_MAIN, WITHOUT_OWNER
from rounds.rules.blackjack.reasons import BONUS_NOT_PLAYED
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Moment, Step, say
from rounds.rules.explained.void import why_void
from rounds.rules.facts import Bet, Round
from rounds.rules.void import LATE

INSURED_OUT_OF_TIME: Final = gettext_noop(
    "Your insurance was placed at %(placed)s. It could be taken after betting had closed at"
    " %(closed)s and until the round ended at %(ended)s, so it did not count."
)
NOBODY_PLAYED: Final = gettext_noop(
    "Nobody played the hand of box %(box)s on which your bet was to ride, so it did not count."
)
OWN_HAND: Final = gettext_noop(
    "The hand of box %(box)s was your own, and a bet behind rides on the hand of another player,"
    " so it did not count."
)
MAIN_DID_NOT_COUNT: Final = gettext_noop(
    "Your main bet on box %(box)s did not count, and this bet went with it."
)
BONUS_BROKE_DOWN: Final = gettext_noop(
    "The points had earned the bonus, but a malfunction kept it from being played, so this bet did"
    " not count."
)

_BY_BOX: Final = {
    WITHOUT_OWNER: NOBODY_PLAYED,
    ON_OWN_BOX: OWN_HAND,
    WITHOUT_MAIN: MAIN_DID_NOT_COUNT,
}


def why_void_at_blackjack(dealt: Round, bet: Bet, reason: str) -> Step:
    """The decision that a bet of the family never counted."""
    if reason in _BY_BOX:
        return say(_BY_BOX[reason], rule=reason, box=bet.box or 0)
    if reason == BONUS_NOT_PLAYED:
        return say(BONUS_BROKE_DOWN, rule=reason)
    if reason == LATE and bet.kind == INSURANCE:
        return say(
            INSURED_OUT_OF_TIME,
            rule=LATE,
            placed=Moment(bet.placed_at),
            closed=Moment(dealt.closed_at),
            ended=Moment(dealt.ended_at),
        )
    return why_void(dealt, bet, reason)
