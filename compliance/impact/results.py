"""The results of an analysis: by bet kind, and by customer."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.impact.models import ImpactAnalysis

_SUMS: Final = """
    sum(bets)::bigint, sum(staked_cents)::bigint, sum(paid_cents)::bigint AS paid,
    sum(other_cents)::bigint AS other, sum(paid_chips_cents)::bigint,
    sum(other_chips_cents)::bigint
"""
_KINDS: Final = f"""
    SELECT line.rules, kind, {_SUMS},
           coalesce(sum(bets) FILTER (WHERE customer_id IS NOT NULL), 0)::bigint
      FROM impact_impactline AS line JOIN impact_impactpart AS part ON part.id = part_id
     WHERE analysis_id = %s
     GROUP BY 1, 2 ORDER BY 1, 2
"""
_CUSTOMERS: Final = f"""
    SELECT summed.*, pseudonym, reference
      FROM (SELECT customer_id, line.rules, {_SUMS},
                   (array_agg(example_id ORDER BY abs(other_cents - paid_cents) DESC))[1] AS example
              FROM impact_impactline AS line JOIN impact_impactpart AS part ON part.id = part_id
             WHERE analysis_id = %s AND customer_id IS NOT NULL
             GROUP BY 1, 2
             ORDER BY abs(sum(other_cents) - sum(paid_cents)) DESC, 1, 2 LIMIT %s) AS summed
      LEFT JOIN rounds_customer AS customer ON customer.id = customer_id
      LEFT JOIN rounds_round AS round ON round.id = example
     ORDER BY abs(summed.other - summed.paid) DESC, customer_id, summed.rules
"""
_CHANGED: Final = """
    SELECT count(DISTINCT customer_id)
      FROM impact_impactline AS line JOIN impact_impactpart AS part ON part.id = part_id
     WHERE analysis_id = %s
"""


class Sums(NamedTuple):
    """Of bets, in cents; payouts with the stake that returns, golden chips among them."""

    bets: int
    staked_cents: int
    paid_cents: int
    other_cents: int
    """What the changed rule would have paid."""
    paid_chips_cents: int
    other_chips_cents: int

    @property
    def difference_cents(self) -> int:
        """What customers would have got more."""
        return self.other_cents - self.paid_cents


class KindResult(NamedTuple):
    """All compared bets of a rule set and kind."""

    rules: str
    kind: str
    sums: Sums
    changed_bets: int
    """Bets that would be paid otherwise."""
    expected: tuple[Fraction, Fraction] | None
    """The certificates' return by either rule; None where it was not computed."""


class CustomerResult(NamedTuple):
    """The bets of a customer, of one rule set, that would be paid otherwise."""

    customer_id: int
    pseudonym: str
    rules: str
    sums: Sums
    example_id: UUID
    """A round with a large difference, and its reference."""
    example: str


def kind_results(analysis: ImpactAnalysis) -> list[KindResult]:
    """By rule set and bet kind."""
    expected = {
        (part.rules, kind): (Fraction(before) / 100, Fraction(after) / 100)
        for part in analysis.parts.exclude(rules="")
        for kind, before, after in part.returns
    }
    with connection.cursor() as cursor:
        cursor.execute(_KINDS, [analysis.pk])
        return [
            KindResult(rules, kind, Sums(*sums), changed, expected.get((rules, kind)))
            for rules, kind, *sums, changed in cursor.fetchall()
        ]


def customer_results(
    analysis: ImpactAnalysis, *, most: int | None = None
) -> Iterator[CustomerResult]:
    """By customer and rule set, the largest differences first; all without ``most``."""
    with connection.cursor() as cursor:
        cursor.execute(_CUSTOMERS, [analysis.pk, most])
        for customer_id, rules, *sums, example_id, pseudonym, example in cursor:
            yield CustomerResult(
                customer_id, pseudonym or "", rules, Sums(*sums), example_id, example or ""
            )


def changed_customers(analysis: ImpactAnalysis) -> int:
    """The number of customers who would have been paid otherwise."""
    with connection.cursor() as cursor:
        cursor.execute(_CHANGED, [analysis.pk])
        [number] = cursor.fetchone()
    return int(number)
