"""All rule sets that were ever in force. None is removed: old rounds settle by old rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.blackjack.games.live_blackjack import BLACKJACK_1
from rounds.rules.blackjack.games.mega_fire_blaze import MEGA_FIRE_BLAZE_BLACKJACK_1
from rounds.rules.blackjack.games.quantum import QUANTUM_BLACKJACK_1
from rounds.rules.blackjack.games.zappit import ZAPPIT_BLACKJACK_1
from rounds.rules.rule_set import RuleSet

Catalogue = Mapping[str, RuleSet]
"""Rule sets by their names."""


def catalogue_of(*rule_sets: RuleSet) -> Catalogue:
    """These rule sets by name, in this order. Raises ValueError for a duplicate name."""
    catalogue = {rules.name: rules for rules in rule_sets}
    if len(catalogue) < len(rule_sets):
        raise ValueError("two rule sets have the same name")
    return MappingProxyType(catalogue)


RULE_SETS: Final = catalogue_of(
    BLACKJACK_1,
    MEGA_FIRE_BLAZE_BLACKJACK_1,
    QUANTUM_BLACKJACK_1,
    BACCARAT_1,
    ZAPPIT_BLACKJACK_1,
)


def rule_set(name: str) -> RuleSet:
    """The rule set of this name, ``"blackjack/1"``. Raises KeyError for an unknown name."""
    return RULE_SETS[name]


def game_of(name: str) -> str:
    """The game of a rule set; the name itself if the running code lacks the rule set."""
    rules = RULE_SETS.get(name)
    return rules.game if rules else name
