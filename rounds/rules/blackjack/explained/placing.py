"""The first step of explanations of the blackjack family."""

from typing import Final

from rounds.rules.blackjack.bets import INSURANCE, MAIN
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Money, Step, make_step
from rounds.rules.explained.placing import explain_placing
from rounds.rules.facts import Bet

STAKED: Final = gettext_noop("You staked %(stake)s on the hand of box %(box)s.")
STAKED_CHIP: Final = gettext_noop(
    "You staked a golden chip of %(stake)s on the hand of box %(box)s."
)
STAKED_BEHIND: Final = gettext_noop(
    "You staked %(stake)s behind the player of box %(box)s. Your bet follows that player's hand."
)
INSURED: Final = gettext_noop("You insured the hand of box %(box)s for %(stake)s.")


def explain_placing_at_box(bet: Bet) -> Step:
    """The stake, the kind and the box of the bet."""
    stake, box = Money(bet.stake_cents), bet.box or 0
    if bet.kind == MAIN:
        text = STAKED_BEHIND if bet.behind else STAKED_CHIP if bet.golden else STAKED
        return make_step(text, stake=stake, box=box)
    if bet.kind == INSURANCE:
        return make_step(INSURED, stake=stake, box=box)
    return explain_placing(bet)
