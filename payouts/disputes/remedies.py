"""The remedies of an upheld dispute, and their effect on the customer."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from payouts.cases.case_effect import case_effect, latest_proposal
from payouts.cases.decisions import compute_decisions, decision_rule
from payouts.cases.effect import Effect, effect_of
from payouts.cases.models import Case, Reason
from payouts.cases.remedies import Remedy, malfunction_policy
from payouts.disputes.models import Dispute
from payouts.settlement.models import Settlement
from rounds.models import Round
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.ruling import Ruling

NO_DIGEST: Final = b""


class Way(TextChoices):
    """The kind of remedy."""

    RESETTLE = "resettle", _("Resettle the round")
    REFUND = "refund", _("Refund the stake")
    GOODWILL = "goodwill", _("Credit the customer")
    CASE = "case", _("Use an existing case")


class RequestedRemedy(NamedTuple):
    """The remedy of a decision. Fields that its way does not use stay empty.

    A resettlement has a ``remedy``, and a ``ruling`` if facts are read differently; a refund the
    numbers of the ``bets``; a credit the ``cents``, and the ids of ``others`` who are credited the
    same. For resettlements and refunds ``effect_digest`` is the digest of the effect shown.
    """

    way: Way
    reason: Reason | None = None
    remedy: Remedy | None = None
    ruling: Ruling | None = None
    effect_digest: bytes = NO_DIGEST
    bets: frozenset[int] = frozenset()
    cents: int = 0
    others: frozenset[int] = frozenset()
    accepted_loss_cents: int = 0
    """The complainant's loss that the person saw and accepts."""
    case_id: int | None = None

    @property
    def of_case(self) -> tuple[Remedy | None, Ruling | None]:
        """Remedy and ruling of the case's proposal."""
        if self.way is Way.REFUND:
            return Remedy.REFUND_BETS, Ruling(refunded=self.bets)
        if self.way is Way.GOODWILL:
            return Remedy.CREDIT, None
        return self.remedy, self.ruling


class CustomerAmount(NamedTuple):
    """What a customer gains, in cents; negative for a loss."""

    cash_cents: int
    chips_cents: int
    """In golden chips."""


def kind_of_case(dispute: Dispute, remedy: RequestedRemedy) -> Case.Kind:
    """The kind of case that carries out the remedy. A round without a settlement is released."""
    if remedy.way is Way.GOODWILL:
        return Case.Kind.GOODWILL
    if remedy.way is Way.REFUND:
        return Case.Kind.REFUND
    if remedy.remedy is Remedy.CORRECT:
        return Case.Kind.CORRECTION
    is_settled = Settlement.objects.filter(round_id=dispute.round_id).exists()
    return Case.Kind.MALFUNCTION if is_settled else Case.Kind.RELEASE


def effect_of_remedy(dispute: Dispute, remedy: RequestedRemedy) -> Effect | None:
    """The present effect of settling the round again; None for a credit or an existing case."""
    case_remedy, ruling = remedy.of_case
    if remedy.way in {Way.GOODWILL, Way.CASE} or case_remedy is None:
        return None
    return effect_of(*compute_decisions([dispute.round_id], decision_rule(case_remedy, ruling)))


def complainant_loss(dispute: Dispute, remedy: RequestedRemedy) -> int:
    """The complainant's loss by the remedy, in cents; 0 for none.

    Cash and golden chips are not offset against each other.
    """
    if remedy.way is Way.CASE:
        return _loss_by_case(dispute, remedy.case_id)
    effect = effect_of_remedy(dispute, remedy)
    customers = () if effect is None else effect.customers
    return sum(
        _loss(customer.net_cents, customer.chips_cents)
        for customer in customers
        if customer.customer_id == dispute.customer_id
    )


def other_customers_losses(dispute: Dispute, effect: Effect | None) -> list[int]:
    """The losses of the other customers who lose by the effect, in cents."""
    customers = () if effect is None else effect.customers
    others = [other for other in customers if other.customer_id != dispute.customer_id]
    losses = [_loss(other.net_cents, other.chips_cents) for other in others]
    return [cents for cents in losses if cents]


def greatest_loss(dispute: Dispute, way: Way | None, bets: frozenset[int]) -> int:
    """The complainant's greatest loss by any remedy of this way, in cents.

    ``bets`` are the bets that a refund returns.
    """
    if way is Way.REFUND:
        return complainant_loss(dispute, RequestedRemedy(way, bets=bets))
    if way is not Way.RESETTLE:
        return 0
    remedies = resettlement_remedies(Round.objects.get(pk=dispute.round_id))
    requested = [RequestedRemedy(way, remedy=remedy) for remedy in remedies]
    return max((complainant_loss(dispute, remedy) for remedy in requested), default=0)


def amount_of_case(case: Case, customer_id: int) -> CustomerAmount | None:
    """What a case gives one customer: as planned, or as posted once it is executed.

    None without a proposal whose plan is stored.
    """
    proposal = latest_proposal(case)
    effect = None if proposal is None else case_effect(case, proposal)
    if effect is None:
        return None
    own = [customer for customer in effect.customers if customer.customer_id == customer_id]
    if effect.has_begun and not effect.left:
        amounts = [(customer.net_cents, customer.chips_cents) for customer in own]
    elif effect.has_plan:
        amounts = [(customer.planned_net_cents, customer.planned_chips_cents) for customer in own]
    else:
        return None
    return CustomerAmount(*amounts[0]) if amounts else CustomerAmount(0, 0)


def _loss_by_case(dispute: Dispute, case_id: int | None) -> int:
    case = None if case_id is None else Case.objects.filter(pk=case_id).first()
    amount = None if case is None else amount_of_case(case, dispute.customer_id)
    return 0 if amount is None else _loss(*amount)


def _loss(cash_cents: int, chips_cents: int) -> int:
    return max(0, -cash_cents) + max(0, -chips_cents)


def resettlement_remedies(row: Round) -> Mapping[Remedy, bool]:
    """The remedies by which a round can be settled again, and whether the sheet provides them."""
    rules = RULE_SETS.get(row.rules)
    if rules is None:
        return {}
    policy = malfunction_policy(rules)
    return {
        Remedy.REAL_RESULT: False,
        **{remedy: remedy is policy.remedy for remedy in (policy.remedy, *policy.others)},
    }
