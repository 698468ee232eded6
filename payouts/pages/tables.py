"""Tables: which are in play, the stakes that they accept, what was decided about them."""

from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest

from compliance.trail.queries import records_of
from payouts.models import Reason
from payouts.pages.fact_admin import FactAdmin
from payouts.pages.words import action_words
from rounds.models import ShoeOpening, StakeLimitSet, Table, TableSuspension
from rounds.rules.catalogue import RULE_SETS
from rounds.suspended import latest_step, suspensions_of
from rounds.wording import kind_words

_MOST_SETS: Final = 20
_MOST_SHOES: Final = 8
_MOST_STEPS: Final = 20


@admin.register(Table)
class TableAdmin(FactAdmin):
    """Registered tables. What is decided about one is added beside it, on pages of their own."""

    list_template = "pages/tables.html"
    page_template = "pages/table.html"

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each with the step that suspended it, where one did."""
        suspended = suspensions_of([row.pk for row in rows])
        return {"rows": [(row, suspended.get(row.pk)) for row in rows]}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """The limits in force and earlier ones, the shoes, and what one may do."""
        step = latest_step(row.pk)
        return {
            "title": row.code,
            "limit_sets": _limit_sets(row),
            "step": step,
            "is_suspended": step is not None and step.action == TableSuspension.Action.SUSPENDED,
            "seen": 0 if step is None else step.sequence,
            "reasons": Reason.objects.filter(purpose=Reason.Purpose.SUSPENSION, is_active=True),
            "shoes": _shoes(row),
            "steps": _steps(row),
            "rules_known": row.rules in RULE_SETS,
        }


def _limit_sets(table: Table) -> list[tuple[StakeLimitSet, list[tuple[str, Any, bool]]]]:
    """The set in force first; each limit with its bet in words, and whether the game has it."""
    sets = StakeLimitSet.objects.filter(table=table).prefetch_related("limits")[:_MOST_SETS]
    rules = RULE_SETS.get(table.rules)
    return [
        (
            one,
            [
                (kind_words(limit.kind), limit, rules is None or limit.kind in rules.bet_kinds)
                for limit in one.limits.all()
            ],
        )
        for one in sets
    ]


def _shoes(table: Table) -> list[ShoeOpening]:
    """The shoes that were announced last, each once."""
    openings = ShoeOpening.objects.filter(table=table).order_by("-arrival")[:_MOST_STEPS]
    return list({opening.shoe: opening for opening in reversed(openings)}.values())[::-1][
        :_MOST_SHOES
    ]


def _steps(table: Table) -> list[tuple[str, Any]]:
    """What was decided about the table, newest first, in words."""
    records = records_of(f"table:{table.code}").order_by("-id")[:_MOST_STEPS]
    return [(action_words(record.action), record) for record in records]
