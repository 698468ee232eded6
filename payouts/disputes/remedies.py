"""What an upheld dispute leads to, as cases on money: what is asked, and what it would do."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from payouts.cases.decisions import decisions_on, rule_of
from payouts.cases.effect import Effect, effect_of
from payouts.cases.remedies import Remedy, policy_of
from payouts.models import Case, Dispute, Reason, Settlement
from rounds.models import Round
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.ruling import Ruling

NOTHING_SEEN: Final = b""


class Way(TextChoices):
    """How a dispute is made good."""

    RESETTLE = "resettle", _("Settle the round again")
    REFUND = "refund", _("Give the stake back")
    GOODWILL = "goodwill", _("Credit the customer")
    CASE = "case", _("By a case that is there already")


class RemedyAsked(NamedTuple):
    """The remedy that a decision names; what its way does not need stays empty.

    Resettling says by which ``remedy``, with its ``ruling`` where facts are read otherwise; a
    refund the ``bets`` by their numbers; a credit its ``cents``, and the ids of ``others`` who get
    as much. Where rounds are settled again, ``effect_digest`` is that of the effect that was seen.
    """

    way: Way
    reason: Reason | None = None
    remedy: Remedy | None = None
    ruling: Ruling | None = None
    effect_digest: bytes = NOTHING_SEEN
    bets: frozenset[int] = frozenset()
    cents: int = 0
    others: frozenset[int] = frozenset()
    case_id: int | None = None

    @property
    def of_case(self) -> tuple[Remedy | None, Ruling | None]:
        """Remedy and ruling as the proposal of a case has them."""
        if self.way is Way.REFUND:
            return Remedy.REFUND_BETS, Ruling(refunded=self.bets)
        if self.way is Way.GOODWILL:
            return Remedy.CREDIT, None
        return self.remedy, self.ruling


def kind_of_case(dispute: Dispute, asked: RemedyAsked) -> Case.Kind:
    """The kind of case by which that is done; a round without a settlement is released."""
    if asked.way is Way.GOODWILL:
        return Case.Kind.GOODWILL
    if asked.way is Way.REFUND:
        return Case.Kind.REFUND
    if asked.remedy is Remedy.CORRECT:
        return Case.Kind.CORRECTION
    is_settled = Settlement.objects.filter(round_id=dispute.round_id).exists()
    return Case.Kind.MALFUNCTION if is_settled else Case.Kind.RELEASE


def effect_of_remedy(dispute: Dispute, asked: RemedyAsked) -> Effect | None:
    """What settling the round again so would do now, None for a credit or a case that is there."""
    remedy, ruling = asked.of_case
    if asked.way in {Way.GOODWILL, Way.CASE} or remedy is None:
        return None
    return effect_of(*decisions_on([dispute.round_id], rule_of(remedy, ruling)))


def ways_of_resettling(row: Round) -> Mapping[Remedy, bool]:
    """By which remedies the round can be settled again, and whether the sheet provides it."""
    rules = RULE_SETS.get(row.rules)
    if rules is None:
        return {}
    policy = policy_of(rules)
    return {
        Remedy.REAL_RESULT: False,
        **{one: one is policy.remedy for one in (policy.remedy, *policy.others)},
    }
