"""The findings about a held round."""

from rounds.rules.facts import Round
from rounds.rules.findings.held_round_fault import Finding
from rounds.rules.findings.shared import reported_findings
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.rule_set import RuleSet
from rounds.rules.shoe import Shoe


def find_faults(
    rules: RuleSet, dealt: Round, shoe: Shoe | None, limits: Limits = NO_LIMITS
) -> tuple[Finding, ...]:
    """The faults of a round, each with the value found and the value that the rules need.

    At least one for each anomaly of the round's verdict, and none with another code.
    """
    verdict = rules.judge(dealt, shoe, limits)
    if not verdict.anomalies:
        return ()
    return (*rules.find_faults(dealt, shoe, limits), *reported_findings(dealt, verdict))
