"""The filters and columns of the list of rounds."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import (
    amount_filter,
    choice_filter,
    table_filter,
    text_filter,
    time_filters,
)
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.rounds.held_rounds import owners
from casino.backoffice.site.badges import badge_label
from compliance.trail.people import name_of
from payouts.settlement.queries import RoundStatus, SettlementStatus, rounds_with_status
from payouts.stuck_work.models import StuckWorkStep, WorkKind
from rounds.amounts import parse_unambiguous_amount
from rounds.models import Round
from rounds.rules.anomalies import ANOMALIES
from rounds.search import matching_rounds, opened_before, opened_from


def _named(rows: QuerySet[Round], text: str) -> QuerySet[Round]:
    """The rounds of a search text; amounts are searched by the list itself."""
    if parse_unambiguous_amount(text) is not None:
        return rows
    return matching_rounds(text, among=rows)


def _with_status(rows: QuerySet[Round], status: str) -> QuerySet[Round]:
    return rounds_with_status(rows, RoundStatus(status))


def _since(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    return opened_from(at, among=rows)


def _until(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    return opened_before(at, among=rows)


class RoundRow(NamedTuple):
    """A round in the list."""

    round: Round
    status: SettlementStatus
    step: StuckWorkStep | None
    """The latest assignment of a held round."""

    @property
    def owner(self) -> str:
        """Who has to decide on it; empty for nobody."""
        return name_of(self.step.owner) or "" if self.step else ""

    @property
    def faults(self) -> str:
        """Why it is held."""
        return " ".join(gettext(ANOMALIES[code]) for code in self.status.anomalies)

    @property
    def mark(self) -> str:
        """The value of its checkbox: the round and the latest step."""
        return f"{WorkKind.ROUND}:{self.round.pk}:{self.step.sequence if self.step else 0}"

    @property
    def note(self) -> str:
        """The note of the latest assignment."""
        return self.step.note if self.step else ""


ROUNDS: Final = ListSpec(
    name="rounds",
    live="round",
    filters=(
        text_filter(
            "q",
            _("Search"),
            _named,
            placeholder=_(
                "Round, game code #21:10:10, customer, AAMS session or participation, € 210.00"
            ),
        ),
        amount_filter("amount", _("Amount staked or paid")),
        table_filter(),
        choice_filter("status", _("Status"), RoundStatus.choices, _with_status),
        *time_filters("opened_at", since=_since, until=_until),
    ),
    columns=(
        Column("code", _("Game code"), lambda line: line.round.game_code),
        Column("table", _("Table"), lambda line: line.round.table.code),
        Column("rules", _("Rule set"), lambda line: line.round.rules, is_optional=True),
        Column("opened", _("Opened"), lambda line: line.round.opened_at, Kind.MOMENT, "pk"),
        Column("bets", _("Bets"), lambda line: line.round.bet_count, Kind.COUNT),
        Column("staked", _("Staked"), lambda line: line.round.staked_cents, Kind.MONEY),
        Column("paid", _("Paid"), lambda line: line.status.paid_cents, Kind.MONEY),
        Column("status", _("Status"), lambda line: badge_label(line.status.status.value)),
        Column("round", _("Round"), lambda line: line.round.reference),
    ),
    sort="-opened",
)

_SORTED: Final = {"bets": "bet_count", "staked": "staked_cents"}
FEW_ROUNDS: Final = replace(
    ROUNDS,
    columns=tuple(
        replace(column, sort=_SORTED.get(column.name, column.sort)) for column in ROUNDS.columns
    ),
)
"""The list of rounds with a status that few rounds have, which can be ordered by more columns."""

ROUNDS_OF_AMOUNT: Final = replace(
    ROUNDS, columns=tuple(replace(column, sort="") for column in ROUNDS.columns)
)
"""The list of rounds with an amount, which is searched newest first."""

HELD_ROUNDS: Final = replace(
    FEW_ROUNDS,
    name="held-rounds",
    filters=(
        *ROUNDS.filters,
        choice_filter("whose", _("Assigned to"), owners, empty=_("Anyone")),
    ),
    columns=(
        *(
            replace(column, is_optional=column.name in {"bets", "round"})
            for column in FEW_ROUNDS.columns
            if column.name not in {"rules", "paid", "status"}
        ),
        Column("reason", _("Errors"), lambda line: line.faults),
        Column("owner", _("Assigned to"), lambda line: line.owner),
        Column("note", _("Note"), lambda line: line.note, is_optional=True),
    ),
)
"""The list of held rounds, with their owners."""

FEW: Final = (RoundStatus.HELD, RoundStatus.WAITING, RoundStatus.VOID)
"""The statuses that few rounds have."""
