"""Which weights are in force."""

from datetime import date

from compliance.certification.models import WeightSet


def weights_in_force(rules: str, *, on: date) -> WeightSet | None:
    """The approved weights of a rule set on a day, None where none are.

    Of those that have begun, the ones that began last; of those of one day, the ones set last.
    """
    return (
        WeightSet.objects.filter(rules=rules, in_force_from__lte=on, approval__isnull=False)
        .select_related("approval")
        .order_by("-in_force_from", "-pk")
        .first()
    )
