"""Whether every settlement rests on a rule set that a person signed."""

from django.db.models import Count

from compliance.trail.extra_checks import Report
from payouts.settlement.models import Settlement
from rounds.models import EarlierRuleSet, Round
from rounds.services.sign_rules import signed_digests


def verify_settled_rules(report: Report) -> str:
    """Reports the rule sets by which rounds were settled although nobody signed them.

    One from before signatures is as good as signed.
    """
    counted = Settlement.objects.values_list("rules", "rules_digest").annotate(number=Count("*"))
    used = [(rules, bytes(digest), number) for rules, digest, number in counted.order_by("rules")]
    accepted = signed_digests({rules for rules, *_ in used})
    accepted |= {bytes(digest) for digest in EarlierRuleSet.objects.values_list("pk", flat=True)}
    for rules, digest, number in used:
        if digest not in accepted:
            settled = Round.objects.filter(
                settlements__rules=rules, settlements__rules_digest=digest
            )
            first = settled.order_by("arrival").values_list("reference", flat=True).first()
            report(
                f"rules:{rules}: found {number} settlements by digest {digest.hex()}, the first of"
                f" round {first}; needed a signature of the digest"
            )
    return f"{len(used)} rule sets with settlements"
