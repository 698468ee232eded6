"""The planned and the posted effect of a case, by customer and in total.

Both are read, not computed: the plan from the proposal (``CasePlan``), the amounts posted from the
transfers of the case's settlements, the amounts before from the settlements that they replaced.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from payouts.cases.effect import CENTS, CustomerEffect, sums_of
from payouts.cases.models import Case, CasePlan, CaseRun, CaseStep, GoodwillCredit
from payouts.ledger.models import Account
from payouts.ledger.models.account import customer_of, kind_and_asset_of
from rounds.models import Customer

_CUSTOMER: Final = Account.Kind.CUSTOMER.value
_CHIPS: Final = Account.Asset.CHIPS.value
_PLANNED: Final = """
    SELECT bet.customer_id, count(*)::int,
           coalesce(sum(plan.payout - plan.chips), 0)::bigint,
           coalesce(sum(before.payout_cents - before.chips_cents), 0)::bigint,
           coalesce(sum(plan.chips - coalesce(before.chips_cents, 0)), 0)::bigint
      FROM payouts_caseround AS place
      JOIN rounds_bet AS bet ON bet.round_id = place.round_id
      LEFT JOIN (
           SELECT round_id, after, bet_plan.number - 1 AS bet_number, payout, chips
             FROM payouts_caseplan
            CROSS JOIN LATERAL unnest(payouts_cents, chips_cents)
                  WITH ORDINALITY AS bet_plan (payout, chips, number)
            WHERE case_id = %(case)s AND sequence = %(sequence)s
           ) AS plan ON plan.round_id = bet.round_id AND plan.bet_number = bet.number
      LEFT JOIN payouts_betsettlement AS before
        ON before.round_id = bet.round_id AND before.bet_number = bet.number
       AND before.sequence = plan.after
     WHERE place.case_id = %(case)s AND bet.round_id = ANY(%(rounds)s)
     GROUP BY bet.customer_id
"""
_POSTED: Final = """
    WITH work AS MATERIALIZED (
        SELECT origin, entry
          FROM unnest(%(origins)s::uuid[], %(entries)s::smallint[]) AS entries (origin, entry)
    ), posted AS (
        SELECT transfer.*
          FROM payouts_transfer AS transfer JOIN work USING (origin, entry)
         WHERE transfer.origin = ANY(%(origins)s::uuid[])
    )
    SELECT credit_id, purpose, bet_number IS NOT NULL, sum(amount_cents)::bigint
      FROM posted WHERE credit_id >= 0 GROUP BY 1, 2, 3
     UNION ALL
    SELECT debit_id, purpose, bet_number IS NOT NULL, -sum(amount_cents)::bigint
      FROM posted WHERE debit_id >= 0 GROUP BY 1, 2, 3
"""


class CaseRoundStatus(TextChoices):
    """The status of a round in its case."""

    PROPOSED = "proposed", _("Proposed")
    WAITING = "waiting", _("Not executed yet")
    DONE = "done", _("Executed")
    NOTHING = "nothing", _("Nothing to do")
    REFUSED = "refused", _("Action failed")
    UNCHANGED = "unchanged", _("Item left unchanged")


@dataclass(slots=True)
class CustomerCaseEffect(CustomerEffect):
    """The posted and the planned effect of a case on one customer, in cents."""

    planned_credited_cents: int = 0
    planned_taken_cents: int = 0
    planned_chips_cents: int = 0

    @property
    def planned_net_cents(self) -> int:
        """Cash planned to be gained; negative for a loss."""
        return self.planned_credited_cents - self.planned_taken_cents


class CaseEffect(NamedTuple):
    """The planned and the posted effect of a case."""

    has_plan: bool
    """Whether the plan is stored. Proposals of the first releases stored their totals only."""
    has_begun: bool
    """Whether the case was approved, so that money may have moved."""
    rounds: int
    left: int
    """Rounds that are not executed yet."""
    customers: tuple[CustomerCaseEffect, ...]
    """Ordered by net amount, the largest loss first."""

    @property
    def totals(self) -> dict[str, int]:
        """The sums over all customers, by the names of their cents."""
        planned = ("planned_credited", "planned_taken", "planned_net", "planned_chips")
        sums = sums_of(self.customers, (*planned, *CENTS))
        return {**sums, "bets": sum([customer.bets for customer in self.customers])}

    @property
    def differs(self) -> bool:
        """Whether the posted amounts differ from the plan."""
        return (
            self.has_plan
            and self.has_begun
            and not self.left
            and any(
                effect.net_cents != effect.planned_net_cents
                or effect.chips_cents != effect.planned_chips_cents
                for effect in self.customers
            )
        )


def latest_proposal(case: Case) -> CaseStep | None:
    """The latest proposal of a case; None before the first."""
    steps = CaseStep.objects.filter(case=case, action=CaseStep.Action.PROPOSED)
    return steps.order_by("-sequence").first()


def case_effect(case: Case, proposal: CaseStep) -> CaseEffect:
    """The effect of a case by customer, in a constant number of queries."""
    run = CaseRun.objects.filter(pk=case.pk).first()
    works = [] if run is None else list(run.works.values_list("round_id", "sequence", "done_at"))
    left = sum([done_at is None for *_work, done_at in works])
    if case.kind == Case.Kind.GOODWILL:
        customers = [_credit(case, proposal)]
        return CaseEffect(True, run is not None, 0, left, tuple(customers))
    plans = CasePlan.objects.filter(case=case, sequence=proposal.sequence)
    rounds = list(case.rounds.values_list("round_id", flat=True))
    effects = _planned(case, proposal, rounds)
    _add_posted(effects, {round_id: entry for round_id, entry, _done in works if entry is not None})
    ordered = sorted(effects.values(), key=lambda effect: (_net(effect), effect.pseudonym))
    return CaseEffect(plans.exists(), run is not None, len(rounds), left, tuple(ordered))


def _net(effect: CustomerCaseEffect) -> int:
    net = effect.net_cents, effect.planned_net_cents
    return min(net) or max(net)


def _credit(case: Case, proposal: CaseStep) -> CustomerCaseEffect:
    """The effect of a goodwill credit: one customer, one transfer once it is executed."""
    customer = Customer.objects.get(pk=proposal.customer_id or 0)
    effect = CustomerCaseEffect(
        customer.pk, customer.pseudonym, planned_credited_cents=proposal.cents or 0
    )
    credit = GoodwillCredit.objects.filter(case=case).first()
    if credit is not None:
        _add_posted({customer.pk: effect}, {credit.id: 1})
    return effect


def _planned(case: Case, proposal: CaseStep, rounds: list[UUID]) -> dict[int, CustomerCaseEffect]:
    arguments: dict[str, Any] = {"case": case.pk, "sequence": proposal.sequence, "rounds": rounds}
    with connection.cursor() as cursor:
        cursor.execute(_PLANNED, arguments)
        rows = cursor.fetchall()
    names = dict(
        Customer.objects.filter(id__in=[row[0] for row in rows]).values_list("id", "pseudonym")
    )
    return {
        customer: CustomerCaseEffect(
            customer,
            names[customer],
            bets,
            planned_credited_cents=credited,
            planned_taken_cents=taken,
            planned_chips_cents=chips,
        )
        for customer, bets, credited, taken, chips in rows
    }


def _add_posted(effects: Mapping[int, CustomerCaseEffect], entries: Mapping[UUID, int]) -> None:
    """Adds what the transfers of these entries post to the accounts of customers."""
    arguments: dict[str, Any] = {"origins": list(entries), "entries": list(entries.values())}
    with connection.cursor() as cursor:
        cursor.execute(_POSTED, arguments)
        rows = cursor.fetchall()
    for account, purpose, is_of_bet, cents in rows:
        kind, asset = kind_and_asset_of(account) or ("", "")
        effect = effects.get(customer_of(account))
        if kind != _CUSTOMER or effect is None:
            continue
        is_settlement = is_of_bet or purpose == "goodwill"
        if asset == _CHIPS:
            effect.chips_cents += cents if is_settlement else 0
        elif not is_settlement:  # shortfalls, and reversed shortfalls
            effect.owed_cents += cents
        elif cents > 0:
            effect.credited_cents += cents
        else:
            effect.taken_cents -= cents
