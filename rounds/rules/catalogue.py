"""Every rule set that was ever in force. None is ever removed: old rounds settle by old rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.blackjack.live_blackjack import BLACKJACK_1
from rounds.rules.rule_set import RuleSet

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {rules.name: rules for rules in (BLACKJACK_1, BACCARAT_1)}
)


def rule_set(name: str) -> RuleSet:
    """The rule set of this name, ``"blackjack/1"``; KeyError where there is none."""
    return RULE_SETS[name]
