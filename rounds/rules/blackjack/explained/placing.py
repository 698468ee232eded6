"""What a bet of the family was."""

from typing import Final

from rounds.rules.blackjack.bets import INSURANCE, MAIN
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Money, Step, say
from rounds.rules.explained.placing import place
from rounds.rules.facts import Bet

STAKED: Final = gettext_noop("You staked %(stake)s on the hand of box %(box)s.")
STAKED_CHIP: Final = gettext_noop(
    "You staked a golden chip of %(stake)s on the hand of box %(box)s."
)
STAKED_BEHIND: Final = gettext_noop(
    "You staked %(stake)s behind the player of box %(box)s, on whose hand your bet rides."
)
INSURED: Final = gettext_noop("You insured the hand of box %(box)s for %(stake)s.")


def place_at_box(bet: Bet) -> Step:
    """The step with which the explanation of a bet of the family begins."""
    stake, box = Money(bet.stake_cents), bet.box or 0
    if bet.kind == MAIN:
        text = STAKED_BEHIND if bet.behind else STAKED_CHIP if bet.golden else STAKED
        return say(text, stake=stake, box=box)
    if bet.kind == INSURANCE:
        return say(INSURED, stake=stake, box=box)
    return place(bet)
