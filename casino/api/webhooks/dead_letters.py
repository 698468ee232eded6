"""``/webhooks/{webhook}/dead-letters`` and ``/ping``: undelivered events, resends and pings."""

from functools import partial
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import webhooks as shapes
from casino.api.client.shapes.page import Page
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.pages import Listing, Order
from casino.api.problems import FieldError, Problem
from casino.api.views import ApiView
from casino.api.webhooks.bodies import ResendRequest
from casino.api.webhooks.representation import dead_letter_details, order_details
from casino.api.webhooks.views import SCOPES, get_webhook
from casino.integrations.change_webhook import (
    ping_webhook,
    resend_dead_letter,
    resend_dead_letters,
)
from casino.integrations.tasks import wake_event_workers
from casino.integrations.webhook_status import with_orders

_MOST: Final = 2**31 - 1
_LISTING: Final = Listing("dead letters", (Order(columns=("number",)),), most=100)
_ACCEPTED: Final = {202: component(shapes.WebhookOrder)}


class DeadLettersView(ApiView):
    """The dead letters of a webhook."""

    required_scopes = {"GET": SCOPES}

    @operation(
        "list_dead_letters",
        "List events that could not be delivered",
        component(Page[shapes.DeadLetter]),
        _LISTING.parameters,
    )
    def get(self, _request: Request, webhook_id: UUID) -> Response:
        """Events given up after the last attempt, newest first."""
        webhook = get_webhook(self, webhook_id)
        rows, shapes = webhook.dead_letters.prefetch_related(with_orders()), dead_letter_details
        page = _LISTING.page(rows, self.params, webhook.pk, shapes=partial(map, shapes))
        return Response(page)


class ResendView(ApiView):
    """Resending a dead letter."""

    required_scopes = {"POST": SCOPES}

    @operation(
        "resend_dead_letter",
        "Resend a dead letter",
        _ACCEPTED,
        [OpenApiParameter("number", {"type": "integer", "minimum": 1, "maximum": _MOST}, "path")],
        request=None,
    )
    def post(self, _request: Request, webhook_id: UUID, number: int) -> Response:
        """One attempt out of order, with the same event id; the webhook has the result."""
        webhook = get_webhook(self, webhook_id)
        rows = webhook.dead_letters.select_related("webhook__key")
        letter = rows.filter(number=number).first() if number <= _MOST else None
        if letter is None:
            error = FieldError(
                "path:number", number, _("the number of a dead letter of this webhook")
            )
            raise Problem(problems.NOT_FOUND, errors=[error])
        at, actor = timezone.now(), self.caller.actor
        order = resend_dead_letter(letter=letter, at=at, actor=actor)
        transaction.on_commit(_ring)
        return Response(order_details(order), status=202)


class ResendAllView(ApiView):
    """Resending the dead letters of a webhook."""

    required_scopes = {"POST": SCOPES}

    @operation(
        "resend_dead_letters",
        "Resend the dead letters",
        {202: component(shapes.ResentLetters)},
        request=ResendRequest,
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """One attempt for each that no resend delivered, the oldest first.

        With `given_up_since` and `given_up_before` only those of that time. Those that are about to
        be resent are left out.
        """
        webhook = get_webhook(self, webhook_id)
        form = ResendRequest(data=request.data)
        form.is_valid(raise_exception=True)
        at, actor = timezone.now(), self.caller.actor
        resent = resend_dead_letters(webhook=webhook, **form.validated_data, at=at, actor=actor)
        transaction.on_commit(_ring)
        return Response(shapes.ResentLetters(resent=resent), status=202)


class PingView(ApiView):
    """Pinging a webhook."""

    required_scopes = {"POST": SCOPES}

    @operation("ping_webhook", "Ping a webhook", _ACCEPTED, request=None)
    def post(self, _request: Request, webhook_id: UUID) -> Response:
        """Sends a signed message of type `ping`; the webhook has the result."""
        webhook = get_webhook(self, webhook_id)
        order = ping_webhook(webhook=webhook, at=timezone.now(), actor=self.caller.actor)
        transaction.on_commit(_ring)
        return Response(order_details(order), status=202)


def _ring() -> None:
    wake_event_workers()
