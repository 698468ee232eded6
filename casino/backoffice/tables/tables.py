"""Tables: status, stake limits and history."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, field_filter, text_filter
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.monitoring.urls import LOOK
from casino.backoffice.site.badges import badge_label
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
from rounds.suspended_tables import latest_step, past_suspensions, suspensions, suspensions_of

_MOST_SETS: Final = 20
_MOST_SUSPENSIONS: Final = 10
_MOST_STEPS: Final = 20


def _named(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    return rows.filter(Q(code__icontains=text) | Q(name__icontains=text))


def _with_status(rows: QuerySet[Any], status: str) -> QuerySet[Any]:
    suspended = Q(pk__in=suspensions())
    return rows.filter(suspended if status == "suspended" else ~suspended)


LIST: Final = ListSpec(
    name="tables-shown",
    filters=(
        text_filter("q", gettext_lazy("Code or name"), _named),
        field_filter(
            "rules", gettext_lazy("Rule set"), lambda: [(name, name) for name in sorted(RULE_SETS)]
        ),
        choice_filter(
            "status",
            gettext_lazy("Status"),
            lambda: [(name, badge_label(name)) for name in ("in-play", "suspended")],
            _with_status,
        ),
    ),
    columns=(
        Column("code", gettext_lazy("Code"), lambda line: line[0].code, sort="code"),
        Column("name", gettext_lazy("Name"), lambda line: line[0].name, sort="name"),
        Column("rules", gettext_lazy("Rule set"), lambda line: line[0].rules, sort="rules"),
        Column(
            "status",
            gettext_lazy("Status"),
            lambda line: badge_label("suspended" if line[1] else "in-play"),
        ),
        Column(
            "since",
            gettext_lazy("Suspended since"),
            lambda line: line[1].at if line[1] else None,
            Kind.MOMENT,
        ),
    ),
)


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """Registered tables. Changes are made on separate pages."""

    spec = LIST
    list_template = "backoffice/tables/tables.html"
    page_template = "backoffice/tables/table.html"

    def lines(self, rows: list[Any]) -> list[tuple[Table, Any]]:
        """Each table, with its suspension if any."""
        suspended = suspensions_of([row.pk for row in rows])
        return [(row, suspended.get(row.pk)) for row in rows]

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
