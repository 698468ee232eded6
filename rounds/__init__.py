"""Rounds, bets and shoes as append-only facts, and the rules that evaluate them."""

from typing import Final

from rounds.released_rules.compiled_rules import RulesForm, use_compiled_rules

RULES_FORM: Final[RulesForm] = use_compiled_rules()
"""In which form this process uses the rules."""
