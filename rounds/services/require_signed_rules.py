"""No money moves by a rule set that nobody signed.

A release puts rule sets in force by being installed. What it says counts once somebody of
compliance has signed the digest, or if it was in force before settlement waited for that.
"""

from collections.abc import Iterable
from typing import Final

from rounds.models import EarlierRuleSet
from rounds.rule_inputs import RoundToJudge
from rounds.rules.catalogue import rule_set
from rounds.rules.rule_set import RuleSet
from rounds.services.sign_rules import signature_of
from rounds.services.validate import RulesRefusedError


class UnsignedRulesError(RulesRefusedError):
    """Nobody signed the rule set as the code has it."""

    def __init__(self, stored: RoundToJudge) -> None:
        text = (
            f"{stored.dealt.rules} with the digest {stored.rules_digest.hex()} is not signed; the"
            " round waits until compliance signs it (after put_rules_in_force)"
        )
        super().__init__(stored, text, running=stored.rules_digest)


class _SignedRules:
    """The digests that were found signed: each is looked up once in a process.

    They stay signed, because signatures are append-only. The others are looked up again.
    """

    def __init__(self) -> None:
        self._digests: set[bytes] = set()

    def __contains__(self, rules: RuleSet) -> bool:
        if rules.digest not in self._digests and is_in_force(rules):
            self._digests.add(rules.digest)
        return rules.digest in self._digests

    def forget(self) -> None:
        """Looks everything up again."""
        self._digests.clear()


SIGNED: Final = _SignedRules()


def is_in_force(rules: RuleSet) -> bool:
    """Whether a person signed the rule set, or it is one from before signatures."""
    return (
        EarlierRuleSet.objects.filter(pk=rules.digest).exists() or signature_of(rules) is not None
    )


def waiting_among(names: Iterable[str]) -> list[str]:
    """Those of these rule sets by which no round is settled until they are signed."""
    return [name for name in names if not is_in_force(rule_set(name))]


def require_signed_rules(rounds: Iterable[RoundToJudge]) -> None:
    """Raises UnsignedRulesError unless the rule set of each round is in force.

    A round that arrived under another one than the code has is left to ``judge_round``, which says
    so with both digests.
    """
    for stored in {stored.rules_digest: stored for stored in rounds}.values():
        rules = rule_set(stored.dealt.rules)
        if rules.digest == stored.rules_digest and rules not in SIGNED:
            raise UnsignedRulesError(stored)
