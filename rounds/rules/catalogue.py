"""Every rule set that was ever in force. None is ever removed: old rounds settle by old rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.blackjack.live_blackjack import BLACKJACK_1
from rounds.rules.blackjack.mega_fire_blaze import MEGA_FIRE_BLAZE_BLACKJACK_1
from rounds.rules.blackjack.quantum import QUANTUM_BLACKJACK_1
from rounds.rules.blackjack.zappit import ZAPPIT_BLACKJACK_1
from rounds.rules.rule_set import RuleSet

_IN_FORCE: Final = (
    BLACKJACK_1,
    MEGA_FIRE_BLAZE_BLACKJACK_1,
    QUANTUM_BLACKJACK_1,
    BACCARAT_1,
    ZAPPIT_BLACKJACK_1,
)

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {rules.name: rules for rules in _IN_FORCE}
)


def rule_set(name: str) -> RuleSet:
    """The rule set of this name, ``"blackjack/1"``; KeyError where there is none."""
    return RULE_SETS[name]
