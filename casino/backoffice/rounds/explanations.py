"""The explanations of the payouts of a stored round."""

from collections.abc import Mapping

from django.template.loader import render_to_string

from casino.backoffice.rounds.why import Why, why_of
from rounds.models import Round
from rounds.queries import part_of_round
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rules.verdict import Grade


def why_paid(
    row: Round,
    rules: RuleSet,
    grades: Mapping[int, Grade],
    ruling: Ruling | None = None,
    *,
    customer_id: int | None = None,
) -> dict[int, Why]:
    """The explanations of the grades, by bet number, in one query.

    If all of them are of one customer, the query reads no bets of others that it can do without.
    """
    if not grades:
        return {}
    first, last = min(grades), max(grades)
    most = last - first + 1
    part = part_of_round(row, after=first - 1, most=most, customer_id=customer_id, ruling=ruling)
    graded = [(part.bets[number], grade) for number, grade in grades.items()]
    explained = rules.explain(part.dealt, graded)
    readings = {
        reason: render_to_string("backoffice/rules/reading_links.html", {"keys": cited.rests_on})
        for reason, cited in rules.reasons.items()
    }
    return {
        number: why_of(explanation, rules, readings)
        for number, explanation in zip(grades, explained, strict=True)
    }
