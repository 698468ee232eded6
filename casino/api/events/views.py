"""``/events``: the event stream, for polling."""

import re
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes.events import Event, EventPage
from casino.api.client.shapes.proofs import RecordProof
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.problems import FieldError, Problem
from casino.api.query_params import CURSOR, QueryParams, invalid_param
from casino.api.rounds.proofs import proof_of
from casino.api.views import ApiView
from casino.integrations.caller import Caller
from casino.integrations.events import stream as event_stream
from casino.integrations.events.representation import event_to_json
from casino.integrations.events.stream import event_of, events_after
from casino.integrations.scopes import Scope
from compliance.trail.log.log_losses import lost_size
from compliance.trail.log.log_reader import log_size

MOST: Final = 1_000
_USUAL: Final = 100
_NUMBER: Final = re.compile("[0-9]{1,15}")
_END: Final = "end"
NOT_FOR_CUSTOMERS: Final = problems.declare_problem(
    "not-for-customers",
    403,
    gettext_lazy("A customer token is not accepted here"),
    gettext_lazy(
        "Use a program key: events contain whole rounds, with the stakes of all customers."
    ),
)
_CURSOR: Final = OpenApiParameter(
    CURSOR,
    {"type": "string", "pattern": "^(end|[0-9]{1,15})$", "default": "0"},
    description=(
        "`next` of the previous call; `0` for the beginning of the log, `end` for its end: no"
        " event, only the cursor."
    ),
    examples=[OpenApiExample("a cursor", value="184267")],
)
_LIMIT: Final = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MOST, "default": _USUAL},
    description="The most events of an answer; there may be fewer although `more` is true.",
)


class EventsView(ApiView):
    """Events of rounds, disputes and cases."""

    required_scopes = {"GET": (Scope.ROUNDS_READ,)}

    @operation("list_events", "List events in log order", component(EventPage), [_CURSOR, _LIMIT])
    def get(self, _request: Request) -> Response:
        """The events after a cursor, in the order of the signed log.

        A client that always continues from `next` gets each event exactly once, also while rounds
        are being settled. If `more` is false, the end of the log is reached: poll again after some
        seconds, or add a webhook. A key restricted to tables gets only the events of these tables.
        """
        check_is_program(self.caller)
        position, limit = _position(self.params), self.params.limit(default=_USUAL, most=MOST)
        page = events_after(position, key=self.caller.key, limit=limit)
        events = [event_to_json(event) for event in page.events]
        return Response({"data": events, "next": str(page.seen), "more": not page.is_end})


class EventView(ApiView):
    """One event."""

    required_scopes = {"GET": (Scope.ROUNDS_READ,)}

    @operation("read_event", "Read an event", component(Event))
    def get(self, _request: Request, event_id: UUID) -> Response:
        """The event as it was sent. It never changes."""
        return Response(event_to_json(_get_event(self.caller, event_id)))


class EventProofView(ApiView):
    """The proof of an event."""

    required_scopes = {"GET": (Scope.ROUNDS_READ,)}

    @operation(
        "prove_event",
        "Prove that an event is in the signed log",
        component(RecordProof),
    )
    def get(self, _request: Request, event_id: UUID) -> Response:
        """The audit record of the event with its inclusion proof (RFC 9162)."""
        return Response(proof_of(_get_event(self.caller, event_id).id))


def check_is_program(caller: Caller) -> None:
    """Raises Problem for a customer's own token: events contain the stakes of others."""
    if caller.key.customer is not None:
        raise Problem(NOT_FOR_CUSTOMERS)


def _position(params: QueryParams) -> int:
    """The position in the log that ``after`` names. Raises Problem for one past its end.

    One in records that a restored database has lost is not: the log goes on after them.
    """
    text, size = params.text(CURSOR) or "0", log_size()
    if text == _END:
        return size
    if not _NUMBER.fullmatch(text) or int(text) > max(size, lost_size()):
        raise invalid_param(CURSOR, text, _("a cursor returned as next, 0, or end"))
    return int(text)


def _get_event(caller: Caller, event_id: UUID) -> event_stream.Event:
    check_is_program(caller)
    event = event_of(event_id)
    if event is None or not event.is_for(caller.key):
        error = FieldError(
            "path:event_id", event_id, _("the ID of an event that the key may access")
        )
        raise Problem(problems.NOT_FOUND, errors=[error])
    return event
