"""The stream of events, to poll."""

import re
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.trail.following import log_size
from compliance.trail.proofs import prove_record
from payouts.api import problems
from payouts.api.asked import Asked, not_taken
from payouts.api.caller import Caller
from payouts.api.events.shapes import EVENT_EXAMPLE, EventPage, EventShape
from payouts.api.events.stream import Event, event_of, events_after
from payouts.api.events.told import told_event
from payouts.api.problems import FieldError, Problem
from payouts.api.scopes import Scope
from payouts.api.views import ApiView

MOST: Final = 1_000
_USUAL: Final = 100
_NUMBER: Final = re.compile("[0-9]{1,15}")
_END: Final = "end"
NOT_FOR_CUSTOMERS: Final = problems.kind(
    "not-for-customers",
    403,
    gettext_lazy("A customer's own token cannot do this"),
    gettext_lazy("Use a program's key: events are about whole rounds, with everybody's stakes."),
)
_AFTER: Final = OpenApiParameter(
    "after",
    {"type": "string", "pattern": "^(end|[0-9]{1,15})$", "default": "0"},
    description=(
        "The cursor that the call before gave as `next`; `0` for the beginning, `end` for no event"
        " but the cursor behind the latest."
    ),
    examples=[OpenApiExample("a cursor", value="184267")],
)
_LIMIT: Final = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MOST, "default": _USUAL},
    description="At most so many events; there may be fewer though more come.",
)
_PAGE_EXAMPLE: Final = OpenApiExample(
    "a page",
    value={"events": [EVENT_EXAMPLE], "next": "184267", "more": False},
    response_only=True,
)


class EventsView(ApiView):
    """Events of rounds."""

    needs = {"GET": (Scope.ROUNDS_READ,)}
    asks = {"GET": (_AFTER.name, _LIMIT.name)}

    @extend_schema(
        operation_id="list_events",
        summary="Settled, corrected and voided rounds, in order",
        parameters=[_AFTER, _LIMIT],
        responses=EventPage,
        examples=[_PAGE_EXAMPLE],
    )
    def get(self, _request: Request) -> Response:
        """What happened after a cursor, in the order of the signed log.

        Whoever always goes on from `next` gets each event once and skips none, also while rounds
        are being settled. Where `more` is false the end was reached; call again after some seconds,
        or have events sent by a webhook. A key that is bound to tables sees the events of these.
        """
        check_is_program(self.caller)
        seen, limit = _cursor(self.asked), self.asked.limit(default=_USUAL, most=MOST)
        page = events_after(seen, limit=limit, tables=self.caller.key.tables)
        told = [told_event(one) for one in page.events]
        return Response({"events": told, "next": str(page.seen), "more": not page.is_end})


class EventView(ApiView):
    """One event."""

    needs = {"GET": (Scope.ROUNDS_READ,)}

    @extend_schema(
        operation_id="get_event",
        summary="One event",
        responses=EventShape,
        examples=[OpenApiExample("an event", value=EVENT_EXAMPLE, response_only=True)],
    )
    def get(self, _request: Request, event_id: UUID) -> Response:
        """The event as it was told, whatever has happened to the round since."""
        return Response(told_event(_seen_event(self.caller, event_id)))


class EventProofView(ApiView):
    """The proof of an event."""

    needs = {"GET": (Scope.ROUNDS_READ,)}

    @extend_schema(
        operation_id="prove_event",
        summary="That an event is in the signed log",
        responses=OpenApiResponse(
            OpenApiTypes.OBJECT,
            "The record, its path to the root of the log, and the head that was signed over it",
            examples=[OpenApiExample("a proof", value={"proof": "sabot inclusion/1"})],
        ),
    )
    def get(self, _request: Request, event_id: UUID) -> Response:
        """The record of the event with its inclusion proof, to be checked by RFC 9162."""
        return Response(prove_record(_seen_event(self.caller, event_id).id))


def check_is_program(caller: Caller) -> None:
    """Raises Problem for a customer's own token: a round has the stakes of others, too."""
    if caller.key.customer is not None:
        raise Problem(NOT_FOR_CUSTOMERS)


def _cursor(asked: Asked) -> int:
    """The cursor that a call goes on from. Raises Problem for one that was never given."""
    text, size = asked.text("after") or "0", log_size()
    if text == _END:
        return size
    if not _NUMBER.fullmatch(text) or int(text) > size:
        raise not_taken("after", text, _("a cursor that was given as next, 0, or end"))
    return int(text)


def _seen_event(caller: Caller, event_id: UUID) -> Event:
    check_is_program(caller)
    event = event_of(event_id)
    if event is None or not caller.covers_table(event.table):
        error = FieldError("path:event_id", event_id, _("the id of an event that the key may see"))
        raise Problem(problems.NOT_FOUND, errors=[error])
    return event
