"""Register a table, and change its name or rule set."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.site.form_data import actor_in, number_of, text_of
from casino.backoffice.site.views import show
from compliance.trail.models import AuditRecord
from compliance.trail.queries import changes_after
from compliance.trail.steps import StaleState
from rounds.field_errors import InvalidField
from rounds.gaming_day import gaming_day
from rounds.models import Table
from rounds.row_mapping import milliseconds_of
from rounds.services.change_table import change_table
from rounds.services.register_table import register_table
from rounds.services.table_fields import rule_sets_in_force

_PAGE = "admin:rounds_table_change"


def register(request: HttpRequest) -> HttpResponse:
    """The form of a new table."""
    typed = {name: text_of(request, name) for name in ("code", "name", "rules")}
    error = None
    if request.method == "POST":
        try:
            table = register_table(
                code=typed["code"],
                name=typed["name"],
                rules=typed["rules"],
                at=timezone.now(),
                actor=actor_in(request),
            )
        except InvalidField as invalid:
            error = invalid
        else:
            messages.success(request, _("Table registered. Its rounds are accepted from now on."))
            return redirect(_PAGE, table.pk)
    title = _("Register a table")
    return _form(request, {"title": title, "typed": typed, "error": error})


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a table; shows changes made in the meantime."""
    table = get_object_or_404(Table, pk=pk)
    typed = {"code": table.code, "name": table.name, "rules": table.rules}
    seen, context = table.version, dict[str, Any]()
    if request.method == "POST":
        typed |= {"name": text_of(request, "name"), "rules": text_of(request, "rules")}
        seen = number_of(request, "seen")
        try:
            change_table(
                table_id=pk,
                name=typed["name"],
                rules=typed["rules"],
                seen=seen,
                at=timezone.now(),
                actor=actor_in(request),
            )
        except InvalidField as error:
            context = {"error": error}
        except StaleState as error:
            table = error.latest
            context = {"changes": _changes_since(table, seen)}
            seen = table.version
        else:
            messages.success(request, _("Changes saved. Stored rounds are not affected."))
            return redirect(_PAGE, pk)
    title = _("Change %(table)s") % {"table": table.code}
    return _form(request, {"title": title, "table": table, "typed": typed, "seen": seen, **context})


def _form(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    offered = [
        rule_set.name
        for rule_set in rule_sets_in_force(gaming_day(milliseconds_of(timezone.now())))
    ]
    if "table" in context and context["table"].rules not in offered:
        offered.append(context["table"].rules)
    parent = {"title": _("Tables"), "address": reverse("admin:rounds_table_changelist")}
    return show(
        request,
        "backoffice/tables/table_form.html",
        {**context, "offered": offered, "parent": parent},
    )


def _changes_since(table: Table, version: int) -> list[AuditRecord]:
    """Changes of the table after a version, newest first."""
    return changes_after(f"table:{table.code}", "TABLE_CHANGED", version=version)
