"""Queries on multiplier weights."""

from datetime import date

from compliance.certification.models import WeightSet


def weights_in_force(rules: str, *, on: date) -> WeightSet | None:
    """The approved weights of a rule set in force on a day, or None.

    The latest start date wins, then the latest id.
    """
    return (
        WeightSet.objects.filter(rules=rules, in_force_from__lte=on, approval__isnull=False)
        .select_related("approval")
        .order_by("-in_force_from", "-pk")
        .first()
    )
