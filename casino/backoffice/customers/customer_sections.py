"""The parts of a customer's page, each with a bounded number of rows."""

from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils import timezone

from casino.backoffice.customers.bet_keys import key_in, key_text
from casino.integrations.key_status import KeyStatus, status_of_key
from casino.integrations.models import ApiKey
from compliance.monitoring.customer_returns import MOST_BETS, CustomerReturn, customer_returns
from compliance.monitoring.statistics.charts import place_of_z
from payouts.cases.customer_cases import customer_cases
from payouts.cases.models import Case
from payouts.cases.status import Stage, stages_of
from payouts.disputes.models import Dispute
from payouts.disputes.status import DisputeStatus, dispute_statuses
from payouts.settlement.customer_bets import BetKey, bet_span
from rounds.formatting import bet_kind_label
from rounds.gaming_day import gaming_day
from rounds.models import Customer
from rounds.rules.catalogue import RULE_SETS

_MOST: Final = 20


class ReturnRow(NamedTuple):
    """The return of a kind of bet, drawn on a scale of standard errors."""

    game: str
    label: str
    line: CustomerReturn
    place: float | None
    """The place of its deviation on the scale, 0 to 100."""


class ReturnTotals(NamedTuple):
    """All kinds of bets together."""

    bets: int
    staked_cents: int
    payout_cents: int
    expected_cents: int | None
    """None if the return of one of the kinds is not certified."""

    @property
    def returned(self) -> float | None:
        """Payout by stake."""
        return self.payout_cents / self.staked_cents if self.staked_cents else None

    @property
    def won_cents(self) -> int:
        """What the customer won, the stakes deducted."""
        return self.payout_cents - self.staked_cents

    @property
    def expected_won_cents(self) -> int | None:
        """What chance expects the customer to win; a loss is negative."""
        return None if self.expected_cents is None else self.expected_cents - self.staked_cents


def returns_context(customer: Customer, until: str) -> dict[str, Any]:
    """The returns of the latest bets, or of those before the bet that ``until`` names."""
    before = key_in(until)
    span = bet_span(customer.pk, before=before, most=MOST_BETS)
    lines = customer_returns(customer.pk, before=before) if span else []
    return {
        "before": before,
        "span": span,
        "first_day": span and _day_of(span.first.round_id),
        "last_day": span and _day_of(span.latest),
        "earlier": key_text(span.first) if span and span.has_earlier else None,
        "returns": [_row(line) for line in lines],
        "totals": _totals(lines),
    }


def cases_of(customer: Customer, *, before: BetKey | None) -> list[tuple[Case, Stage]]:
    """The cases about the rounds of these bets, and those that credit the customer."""
    cases = list(
        customer_cases(customer.pk, before=before, most_bets=MOST_BETS, most=_MOST).select_related(
            "table"
        )
    )
    stages = stages_of(cases)
    return [(case, stages[case.pk]) for case in cases]


def disputes_of(customer: Customer) -> list[tuple[Dispute, DisputeStatus]]:
    """The latest disputes, each with its status."""
    disputes = list(
        Dispute.objects.filter(customer=customer)
        .select_related("round__table")
        .order_by("-pk")[:_MOST]
    )
    statuses = dispute_statuses(disputes)
    return [(dispute, statuses[dispute.pk]) for dispute in disputes]


def api_tokens(customer: Customer) -> list[tuple[ApiKey, str]]:
    """The latest tokens with which the customer's data is read, each with its badge."""
    now = timezone.now()
    keys = (
        ApiKey.objects.filter(customer=customer.pseudonym)
        .select_related("revocation", "use", "issued_by")
        .prefetch_related("secrets")
        .order_by("-pk")[:_MOST]
    )
    return [(key, _badge(status_of_key(key, at=now))) for key in keys]


def _day_of(round_id: UUID) -> date:
    """The day of play, from the time that the id of a round begins with."""
    return gaming_day(round_id.int >> 80)


def _badge(status: KeyStatus) -> str:
    return f"key-{status.value}"


def _row(line: CustomerReturn) -> ReturnRow:
    rules = RULE_SETS.get(line.rules)
    game = line.rules if rules is None else rules.game
    return ReturnRow(game, bet_kind_label(line.kind), line, place_of_z(line.figures.z))


def _totals(lines: list[CustomerReturn]) -> ReturnTotals | None:
    if not lines:
        return None
    expected = [line.expected_cents for line in lines]
    return ReturnTotals(
        sum(line.figures.sums.bets for line in lines),
        sum(line.figures.sums.staked_cents for line in lines),
        sum(line.figures.sums.payout_cents for line in lines),
        None if None in expected else sum(cents for cents in expected if cents is not None),
    )
