"""Tables: status, stake limits and history."""

from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _

from casino.backoffice.monitoring.urls import LOOK
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from casino.backoffice.studio_keys.requirements import requirement_context
from casino.backoffice.tables.live_state import live_state
from casino.backoffice.tables.table_returns import table_returns
from compliance.trail.action_labels import action_label
from compliance.trail.queries import records_of
from payouts.cases.models import Reason
from payouts.cases.reasons_in_force import reasons_in_use
from rounds.formatting import bet_kind_label
from rounds.models import StakeLimitSet, Table, TableSuspension
from rounds.rules.catalogue import RULE_SETS
from rounds.services.limits_in_force import set_in_force
from rounds.suspended_tables import latest_step, past_suspensions, suspensions_of

_MOST_SETS: Final = 20
_MOST_SUSPENSIONS: Final = 10
_MOST_STEPS: Final = 20


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """Registered tables. Changes are made on separate pages."""

    list_template = "backoffice/tables/tables.html"
    page_template = "backoffice/tables/table.html"

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each table, with its suspension if any."""
        suspended = suspensions_of([row.pk for row in rows])
        return {"rows": [(row, suspended.get(row.pk)) for row in rows]}

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What happens at the table, its limits and settings, and the available actions."""
        step = latest_step(row.pk)
        return {
            "title": row.code,
            "limit_sets": _limit_sets(row),
            "step": step,
            "is_suspended": step is not None and step.action == TableSuspension.Action.SUSPENDED,
            "seen": 0 if step is None else step.sequence,
            "reasons": reasons_in_use(Reason.Purpose.SUSPENSION),
            "steps": _steps(row),
            "rules_known": row.rules in RULE_SETS,
            "suspensions": past_suspensions(row.pk, most=_MOST_SUSPENSIONS),
            **requirement_context(request, row),
            **(live_state(row) if request.user.has_perm("rounds.view_round") else {}),
            **(
                table_returns(row, request.GET.get("watch", ""))
                if request.user.has_perm(LOOK)
                else {}
            ),
        }


def _limit_sets(table: Table) -> list[tuple[StakeLimitSet, str, list[tuple[str, Any, bool]]]]:
    """The latest first, each with what it is; each limit with the name of its bet."""
    sets = StakeLimitSet.objects.filter(table=table).prefetch_related("limits")[:_MOST_SETS]
    in_force, rules = set_in_force(table.pk), RULE_SETS.get(table.rules)
    return [
        (
            limit_set,
            _("Limits in force") if limit_set == in_force else _("Limits not in force"),
            [
                (bet_kind_label(limit.kind), limit, rules is None or limit.kind in rules.bet_kinds)
                for limit in limit_set.limits.all()
            ],
        )
        for limit_set in sets
    ]


def _steps(table: Table) -> list[tuple[str, Any]]:
    """The history of the table, newest first."""
    records = records_of(f"table:{table.code}").order_by("-id")[:_MOST_STEPS]
    return [(action_label(record.action), record) for record in records]
