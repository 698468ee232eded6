"""The first step of every explanation: the stake and the bet."""

from typing import Final

from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import BetName, Money, Step, make_step
from rounds.rules.facts import Bet

STAKED: Final = gettext_noop("You staked %(stake)s on %(bet)s.")
STAKED_ON_BOX: Final = gettext_noop("You staked %(stake)s on %(bet)s at box %(box)s.")
STAKED_CHIP_ON_BOX: Final = gettext_noop(
    "You staked a golden chip of %(stake)s on %(bet)s at box %(box)s."
)


def explain_placing(bet: Bet) -> Step:
    """The stake and the kind of the bet."""
    stake, name = Money(bet.stake_cents), BetName(bet.kind)
    if bet.box is None:
        return make_step(STAKED, stake=stake, bet=name)
    text = STAKED_CHIP_ON_BOX if bet.golden else STAKED_ON_BOX
    return make_step(text, stake=stake, bet=name, box=bet.box)
