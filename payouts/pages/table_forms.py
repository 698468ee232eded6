"""Registering a table, and changing its name or its rule set."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.models import AuditRecord
from compliance.trail.queries import changes_after
from payouts.pages.asked import asker, number_of, text_of
from payouts.pages.own_pages import show
from rounds.gaming_day import gaming_day
from rounds.models import Table
from rounds.services.change_table import change_table
from rounds.services.register_table import register_table
from rounds.services.table_fields import NotTaken, TableMoved, rule_sets_in_force
from rounds.storage import milliseconds_of

_PAGE = "admin:rounds_table_change"


def register(request: HttpRequest) -> HttpResponse:
    """The form of a new table, and what became of it."""
    typed = {name: text_of(request, name) for name in ("code", "name", "rules")}
    wrong = None
    if request.method == "POST":
        try:
            table = register_table(**typed, at=timezone.now(), actor=asker(request))
        except NotTaken as refusal:
            wrong = refusal
        else:
            messages.success(request, _("The table is registered: its rounds are taken from now."))
            return redirect(_PAGE, table.pk)
    title = _("Register a table")
    return _form(request, {"title": title, "typed": typed, "wrong": wrong})


def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a registered table; whoever saves second sees what the first one did."""
    table = get_object_or_404(Table, pk=pk)
    typed = {"code": table.code, "name": table.name, "rules": table.rules}
    seen, told = table.version, dict[str, Any]()
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
                actor=asker(request),
            )
        except NotTaken as refusal:
            told = {"wrong": refusal}
        except TableMoved as refusal:
            table = refusal.latest
            told = {"moved": _changes_since(table, seen)}
            seen = table.version
        else:
            messages.success(request, _("Saved. Rounds that are stored keep what they have."))
            return redirect(_PAGE, pk)
    title = _("Change %(table)s") % {"table": table.code}
    return _form(request, {"title": title, "table": table, "typed": typed, "seen": seen, **told})


def _form(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    offered = [one.name for one in rule_sets_in_force(gaming_day(milliseconds_of(timezone.now())))]
    if "table" in context and context["table"].rules not in offered:
        offered.append(context["table"].rules)
    parent = {"title": _("Tables"), "address": reverse("admin:rounds_table_changelist")}
    return show(request, "pages/table_form.html", {**context, "offered": offered, "parent": parent})


def _changes_since(table: Table, version: int) -> list[AuditRecord]:
    """Who changed the table after that version, newest first."""
    return changes_after(f"table:{table.code}", "TABLE_CHANGED", version=version)
