"""Stake limits of a table: enter, compare with those in force, confirm."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.form_data import number_of, text_of
from casino.backoffice.site.views import show
from compliance.trail.steps import StaleState
from rounds.amounts import parse_amount
from rounds.field_errors import InvalidField
from rounds.formatting import bet_kind_label, money
from rounds.models import StakeLimitSet, Table
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.services.limit_stakes import (
    NO_SET,
    check_limit,
    limit_stakes,
    limits_of_set,
)
from rounds.services.limits_in_force import set_in_force

_Cents = tuple[int, int] | None


class LimitInput(NamedTuple):
    """A bet kind: current limit, entered limit and error."""

    kind: str
    label: str
    in_force: _Cents
    wanted: _Cents
    least: str
    most: str
    error: InvalidField | None
    seen: _Cents

    @property
    def change(self) -> str:
        """Whether the limit is new, changed, removed or the same."""
        if self.in_force == self.wanted:
            return "same"
        if self.in_force is None:
            return "new"
        return "removed" if self.wanted is None else "changed"


def decide_limits(request: HttpRequest, pk: int) -> HttpResponse:
    """The form with the limits in force; then the changes; then the new set."""
    table = get_object_or_404(Table, pk=pk)
    in_force = set_in_force(pk)
    if request.method != "POST":
        return _show(request, table, in_force, _lines(table, in_force, _written(in_force)))
    seen = number_of(request, "seen")
    lines = _lines(table, in_force, _typed(request, table), seen=limits_of_version(seen, table))
    wanted = {line.kind: line.wanted for line in lines if line.wanted is not None}
    if any(line.error for line in lines) or "back" in request.POST:
        return _show(request, table, in_force, lines, seen=seen)
    if "confirm" not in request.POST and seen == _id_of(in_force):
        return _show(request, table, in_force, lines, is_review=True)
    try:
        limit_stakes(
            table_id=pk,
            limits=wanted,
            seen=seen,
            at=decided_at(request),
            actor=signing_actor(request),
        )
    except StaleState as error:
        lines = _lines(
            table, error.latest, _typed(request, table), seen=limits_of_version(seen, table)
        )
        return _show(request, table, error.latest, lines, has_changed=True)
    messages.success(request, _("Limits in force. They apply to rounds that arrive from now on."))
    return redirect("admin:rounds_table_change", pk)


def limits_of_version(seen: int, table: Table) -> Limits:
    """The limits that the user saw."""
    return limits_of_set(StakeLimitSet.objects.filter(pk=seen, table=table).first())


def _id_of(limit_set: StakeLimitSet | None) -> int:
    return NO_SET if limit_set is None else limit_set.pk


def _written(in_force: StakeLimitSet | None) -> Mapping[str, tuple[str, str]]:
    """The limits in force, formatted for the fields."""
    limits = limits_of_set(in_force)
    return {kind: (money(least), money(most)) for kind, (least, most) in limits.items()}


def _typed(request: HttpRequest, table: Table) -> Mapping[str, tuple[str, str]]:
    """The values of the fields."""
    return {
        kind: (text_of(request, f"least-{kind}").strip(), text_of(request, f"most-{kind}").strip())
        for kind in _kinds_of(table)
    }


def _kinds_of(table: Table) -> tuple[str, ...]:
    rules = RULE_SETS.get(table.rules)
    return () if rules is None else rules.bet_kinds


def _lines(
    table: Table,
    in_force: StakeLimitSet | None,
    written: Mapping[str, tuple[str, str]],
    *,
    seen: Limits = NO_LIMITS,
) -> list[LimitInput]:
    """The bet kinds of the game, each with its parsed entry."""
    current, lines = limits_of_set(in_force), []
    for kind in _kinds_of(table):
        least, most = written.get(kind, ("", ""))
        wanted, error = _read(table.rules, kind, least, most)
        row = (kind, bet_kind_label(kind), current.get(kind), wanted, least, most, error)
        lines.append(LimitInput(*row, seen.get(kind)))
    return lines


def _read(rules: str, kind: str, least: str, most: str) -> tuple[_Cents, InvalidField | None]:
    """The limit in two fields, None if both are empty; or the error."""
    if not least and not most:
        return None, None
    try:
        cents = _cents_of("least", least), _cents_of("most", most)
        check_limit(rules, kind, *cents)
    except InvalidField as error:
        return None, error
    return cents, None


def _cents_of(field: str, text: str) -> int:
    cents = parse_amount(text)
    if cents is None:
        raise InvalidField(field, text, _("an amount in euros, for example 1.234,50 or 1,234.50"))
    return cents


def _show(
    request: HttpRequest,
    table: Table,
    in_force: StakeLimitSet | None,
    lines: list[LimitInput],
    **extra: Any,
) -> HttpResponse:
    """The page, based on the set that it shows."""
    address = reverse("admin:rounds_table_change", args=[table.pk])
    context = {
        "title": _("Stake limits of %(table)s") % {"table": table.code},
        "parent": {"title": table.code, "address": address},
        "table": table,
        "in_force": in_force,
        "lines": lines,
        "seen": _id_of(in_force),
        "changes": sum(line.change != "same" for line in lines),
        **extra,
    }
    return show(request, "backoffice/tables/limits_form.html", context)
