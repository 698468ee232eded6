"""Filters and columns of quarantine, conflicts and the settlement queue."""

from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from casino.backoffice.feed.rejection_texts import translate_rejection
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    Filter,
    choice_filter,
    table_filter,
    text_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec
from compliance.trail.people import name_of
from rounds.suspended_tables import UNTIL_RESUMED

_STATES: Final = (("open", _("To handle")), ("resolved", _("Resolved")))


def _owner_of(line: Any) -> str:
    step = line[1]
    return "" if step is None else name_of(step.owner) or ""


def _source() -> Filter:
    return text_filter("source", _("Source"), lambda rows, value: rows.filter(source=value))


def _state() -> Filter:
    return choice_filter(
        "state",
        _("Status"),
        _STATES,
        lambda rows, value: rows.filter(open__isnull=value == "resolved"),
    )


QUARANTINE: Final = ListSpec(
    name="quarantine",
    live="exception",
    filters=(
        _source(),
        text_filter("field", _("Field"), lambda rows, value: rows.filter(field__icontains=value)),
        _state(),
        *time_filters("received_at"),
    ),
    columns=(
        Column("received", _("Received"), lambda line: line[0].received_at, Kind.MOMENT, "pk"),
        Column("source", _("Source"), lambda line: line[0].source),
        Column("line", _("Line"), lambda line: line[0].line, Kind.COUNT),
        Column("round", _("Round"), lambda line: line[0].round_reference, is_optional=True),
        Column("field", _("Field"), lambda line: line[0].field),
        Column("found", _("Found"), lambda line: translate_rejection(line[0].found)),
        Column("expected", _("Expected"), lambda line: translate_rejection(line[0].needed)),
        Column("owner", _("Assigned to"), _owner_of),
    ),
    sort="-received",
)

CONFLICTS: Final = ListSpec(
    name="conflicts",
    live="exception",
    filters=(
        _source(),
        table_filter(field="round__table"),
        _state(),
        *time_filters("received_at"),
    ),
    columns=(
        Column("received", _("Received"), lambda line: line[0].received_at, Kind.MOMENT, "pk"),
        Column("round", _("Round"), lambda line: line[0].round.reference),
        Column("code", _("Game code"), lambda line: line[0].round.game_code),
        Column("table", _("Table"), lambda line: line[0].round.table.code),
        Column("source", _("Source"), lambda line: line[0].source),
        Column("line", _("Line"), lambda line: line[0].line, Kind.COUNT),
        Column("owner", _("Assigned to"), _owner_of),
    ),
    sort="-received",
)


def _failed(rows: QuerySet[Any], state: str) -> QuerySet[Any]:
    if state == "suspended":
        return rows.filter(due_at=UNTIL_RESUMED)
    return rows.filter(attempts__gt=0) if state == "failed" else rows.filter(attempts=0)


QUEUE: Final = ListSpec(
    name="awaiting-settlement",
    filters=(
        table_filter(field="round__table"),
        choice_filter(
            "state",
            _("Status"),
            (
                ("new", _("Not tried yet")),
                ("failed", _("Failed before")),
                ("suspended", _("Table suspended")),
            ),
            _failed,
        ),
    ),
    columns=(
        Column("code", _("Game code"), lambda line: line[0].round.game_code),
        Column("table", _("Table"), lambda line: line[0].round.table.code),
        Column("opened", _("Opened"), lambda line: line[0].round.opened_at, Kind.MOMENT, "pk"),
        Column("bets", _("Bets"), lambda line: line[0].bet_count, Kind.COUNT),
        Column("attempts", _("Attempts"), lambda line: line[0].attempts, Kind.COUNT),
        Column(
            "next",
            _("Next attempt"),
            lambda line: None if line[2] else line[0].due_at,
            Kind.MOMENT,
        ),
        Column(
            "reason",
            _("Waiting reason"),
            lambda line: line[2].reason if line[2] else line[0].last_error,
        ),
        Column("owner", _("Assigned to"), _owner_of),
    ),
    sort="-opened",
)
