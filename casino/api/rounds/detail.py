"""``/rounds/{round}``: the details of a round; its bets, timeline and receipt."""

from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.client.shapes import rounds as shapes
from casino.api.client.shapes.page import Page
from casino.api.etags import cache_headers, etag_of, is_not_modified
from casino.api.openapi.components import component
from casino.api.openapi.examples import EXAMPLES
from casino.api.openapi.operations import (
    CURSOR,
    IF_NONE_MATCH,
    NOT_MODIFIED,
    limit,
    operation,
    problem,
)
from casino.api.pages import page_of
from casino.api.query_params import LIMIT, QueryParams, make_cursor
from casino.api.rounds.bets import (
    DEFAULT_BETS,
    MOST_BETS,
    bets_of,
    query_bet_page,
    read_bets,
    requested_bets,
)
from casino.api.rounds.lookup import get_round, is_visible, missing_round, read_by_name
from casino.api.rounds.proofs import proof_of
from casino.api.rounds.query_params import CUSTOMER, requested_customer
from casino.api.rounds.representation import (
    round_facts,
    round_summary,
    settlement_details,
)
from casino.api.views import ApiView
from casino.integrations.scopes import Scope
from compliance.exports.dossier.contents import CUSTOMER_ROUND_ACTIONS
from compliance.storage.prepared_statements import PendingResult, pipelined
from compliance.trail.action_labels import action_label
from compliance.trail.log.proofs import RECEIPT, are_cosigned
from compliance.trail.queries import Event, ask_events, records_of
from payouts.settlement.customer_totals import NO_TOTALS, customer_round_totals
from payouts.settlement.models import Settlement
from payouts.settlement.queries import (
    SettlementStatus,
    ask_settlements,
    ask_validation,
    settlement_status,
    settlement_statuses,
)
from rounds.models import Customer, Round, Validation
from rounds.queries import query_round

_MOST_RECORDS: Final = 100
ROUND: Final = OpenApiParameter(
    "round",
    str,
    OpenApiParameter.PATH,
    description="Sabot's id of the round, or the studio's",
    examples=[
        OpenApiExample("id", value=EXAMPLES["read_round"]["200"]["id"]),
        OpenApiExample("studio", value=EXAMPLES["read_round"]["200"]["round"]),
    ],
)
_BETS: Final = (ROUND, CUSTOMER, limit(DEFAULT_BETS, MOST_BETS), CURSOR)


IF_ARCHIVED: Final = problem(409, "The month of the round is archived and not in the database")


class _Selection(NamedTuple):
    """A round that the key may read, and the customer whose bets it requests (None for all)."""

    row: Round
    customer: Customer | None
    is_own: bool
    """Whether the key belongs to the customer."""


class _History(NamedTuple):
    """A round with its settlements and validations, in order."""

    row: Round
    settlements: list[Settlement]
    validations: list[Validation]
    """Only the latest."""


class RoundSelectionView(ApiView):
    """What concerns one round, for the customer that the key or the query names."""

    required_scopes = {"GET": (Scope.ROUNDS_READ,)}

    def select(self, name: str) -> _Selection:
        """The requested round and customer. Raises Problem: 404, or 409 for an archived round."""
        customer, is_own = self.customer()
        row = get_round(name, self.caller, customer if is_own else None)
        return _Selection(row, customer, is_own)

    def customer(self) -> tuple[Customer | None, bool]:
        """The requested customer, None for all, and whether the key belongs to the customer."""
        return requested_customer(self.params, self.caller), self.caller.key.customer is not None


class RoundView(RoundSelectionView):
    """The details of a round."""

    @operation(
        "read_round",
        "Read a round",
        {200: component(shapes.RoundDetails), 304: NOT_MODIFIED, **IF_ARCHIVED},
        [*_BETS, IF_NONE_MATCH],
    )
    def get(self, request: Request, round: str) -> HttpResponse:
        """Facts, cards, bets, settlements, explanations, timeline, and the address of the proof.

        By Sabot's id or the studio's. A customer's own token reads only that customer's bets and
        money. `ETag` changes with the content: send it as `If-None-Match` to read only changes
        (304).
        """
        selection, settlements, round_status = self._read(round)
        page = requested_bets(selection.row, selection.customer, self.params)
        with pipelined():
            pending_records = _query_records(selection, most=_MOST_RECORDS)
            pending_bets = query_bet_page(selection.row, round_status, page)
        records = pending_records.answer()
        headers = cache_headers(_etag(selection, round_status, records, self.params))
        if is_not_modified(request, headers["ETag"]):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        answer = shapes.RoundDetails(
            **vars(_summary(selection, round_status)),
            **round_facts(selection.row, reader=selection.customer if selection.is_own else None),
            settlements=tuple(
                settlement_details(settlement, is_own=selection.is_own)
                for settlement in settlements
            ),
            bets=bets_of(selection.row, round_status, page, pending_bets),
            timeline=tuple(_entry(record, selection) for record in records),
        )
        return Response(answer, headers=headers)

    def _read(self, name: str) -> tuple[_Selection, list[Settlement], SettlementStatus]:
        """The round with its settlements and status, in one database round trip. Raises Problem."""
        customer, is_own = self.customer()
        history = read_by_name(name, _read_history)
        own = customer if is_own else None
        if history is None or not is_visible(history.row, self.caller, own):
            raise missing_round(name, self.caller, own)
        round_status = settlement_status(history.settlements, history.validations)
        return _Selection(history.row, customer, is_own), history.settlements, round_status


class RoundBetsView(RoundSelectionView):
    """The bets of a round."""

    @operation(
        "list_bets",
        "List the bets of a round",
        {200: component(Page[shapes.Bet]), **IF_ARCHIVED},
        _BETS,
    )
    def get(self, _request: Request, round: str) -> Response:
        """In the order of the feed, each with its payout and the reasons for it."""
        row, customer, _is_own = self.select(round)
        round_status = settlement_statuses([row.id])[row.id]
        page = requested_bets(row, customer, self.params)
        return Response(read_bets(row, round_status, page))


class RoundTimelineView(RoundSelectionView):
    """The audit records of a round."""

    @operation(
        "read_timeline",
        "List the audit records of a round",
        {200: component(Page[shapes.TimelineEntry]), **IF_ARCHIVED},
        [ROUND, limit(50, _MOST_RECORDS), CURSOR],
    )
    def get(self, _request: Request, round: str) -> Response:
        """Oldest first."""
        selection = self.select(round)
        customer_pk = selection.customer and selection.customer.pk
        key = self.params.list_key("timeline", selection.row.id.hex, customer_pk)
        position = self.params.position(key)
        most = self.params.limit(default=50, most=_MOST_RECORDS)
        after = None if position is None else UUID(position)
        records = _query_records(selection, most=most + 1, after=after).answer()
        page = records[:most]
        next_cursor = make_cursor(key, page[-1].id.hex) if len(records) > most else None
        data = (_entry(record, selection) for record in page)
        return Response(page_of(data, next_cursor))


class RoundReceiptView(RoundSelectionView):
    """The inclusion proofs of a round."""

    @operation(
        "read_receipt",
        "Read the receipt of a round",
        {
            200: component(shapes.Receipt),
            **problem(409, "The round is not in the signed log yet, or it is archived"),
        },
        [ROUND],
    )
    def get(self, _request: Request, round: str) -> Response:
        """Proofs that the audit records of the round are in the signed log (docs/proof.md).

        409 for some seconds, until the latest record is in the log.
        """
        selection = self.select(round)
        records = tuple(proof_of(record.pk) for record in _records(selection))
        content = shapes.Receipt(
            receipt=RECEIPT,
            round=selection.row.reference,
            complete=are_cosigned(record.cosignatures for record in records),
            records=records,
        )
        return Response(content)


def _read_history(round_id: UUID) -> _History | None:
    with pipelined():
        rounds = query_round(round_id)
        settled, validated = ask_settlements(round_id), ask_validation(round_id)
    rows, settlements, validations = rounds.answer(), settled.answer(), validated.answer()
    return _History(rows[0], settlements, validations) if rows else None


def _records(selection: _Selection) -> Any:
    records = records_of(f"round:{selection.row.reference}")
    return records.filter(action__in=CUSTOMER_ROUND_ACTIONS) if selection.is_own else records


def _query_records(
    selection: _Selection, *, most: int, after: UUID | None = None
) -> PendingResult[list[Event]]:
    actions = CUSTOMER_ROUND_ACTIONS if selection.is_own else None
    return ask_events(f"round:{selection.row.reference}", most=most, after=after, actions=actions)


def _entry(record: Event, selection: _Selection) -> shapes.TimelineEntry:
    return shapes.TimelineEntry(
        id=record.id,
        at=record.at,
        action=record.action,
        text=str(action_label(record.action)),
        actor=None if selection.is_own else record.actor,
    )


def _summary(selection: _Selection, round_status: SettlementStatus) -> shapes.RoundSummary:
    row, customer, _is_own = selection
    own = None
    if customer is not None:
        own = customer_round_totals(customer.pk, [row.id]).get(row.id, NO_TOTALS)
    return round_summary(row, round_status, own)


def _etag(
    selection: _Selection, round_status: SettlementStatus, records: list[Event], params: QueryParams
) -> str:
    """The tag of everything that the answer depends on, apart from the immutable facts."""
    depends_on = [
        selection.row.id.hex,
        round_status.settlement.sequence if round_status.settlement else 0,
        round_status.status.value,
        list(round_status.anomalies),
        records[-1].id.hex if records else "",
        selection.customer and selection.customer.pk,
        selection.is_own,
        get_language(),
        params.list_key(params.text(LIMIT), params.text(CURSOR.name)),
    ]
    return etag_of(depends_on)
