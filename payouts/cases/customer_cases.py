"""The cases that concern a customer."""

from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from payouts.cases.models import Case, CaseStep
from payouts.settlement.customer_bets import LATEST_BETS, BetKey, bets_before

# An array, so that each round is one look-up and the cases are never scanned.
_ABOUT_BETS: Final = f"""
    WITH played AS MATERIALIZED (SELECT DISTINCT round_id FROM ({LATEST_BETS}) AS bet)
    SELECT DISTINCT unnest(ARRAY(
               SELECT case_id FROM payouts_caseround WHERE round_id = played.round_id))
      FROM played
     ORDER BY 1 DESC LIMIT %(cases)s
"""


def customer_cases(
    customer_id: int, *, before: BetKey | None, most_bets: int, most: int
) -> QuerySet[Case]:
    """The latest cases about the rounds of the customer's bets, or that credit the customer.

    Only rounds of the latest ``most_bets`` bets, or of those before a bet.
    """
    arguments: dict[str, Any] = {**bets_before(customer_id, before, most_bets), "cases": most}
    with connection.cursor() as cursor:
        cursor.execute(_ABOUT_BETS, arguments)
        about_bets = [case_id for (case_id,) in cursor.fetchall()]
    credit_steps = CaseStep.objects.filter(customer_id=customer_id).order_by("-case_id")
    crediting = list(credit_steps.values_list("case_id", flat=True).distinct()[:most])
    return Case.objects.filter(pk__in=[*about_bets, *crediting]).order_by("-pk")[:most]
