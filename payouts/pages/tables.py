"""Tables with the stakes that they accept."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from payouts.pages.fact_admin import FactAdmin
from rounds.models import StakeLimitSet, Table
from rounds.wording import kind_words


@admin.register(Table)
class TableAdmin(FactAdmin):
    """Registered tables; limits are decided elsewhere and never edited."""

    list_template = "pages/tables.html"
    page_template = "pages/table.html"

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """The sets of limits, the one in force first, in the order of the bets."""
        sets = StakeLimitSet.objects.filter(table=row).prefetch_related("limits")[:20]
        return {
            "title": row.code,
            "limit_sets": [
                (one, [(kind_words(limit.kind), limit) for limit in one.limits.all()])
                for one in sets
            ],
        }
