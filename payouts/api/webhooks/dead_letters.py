"""What a webhook did not take, and what is sent to it out of turn."""

import re
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.asked import not_taken
from payouts.api.problems import FieldError, Problem
from payouts.api.services.change_webhook import ping_webhook, resend_dead_letter
from payouts.api.tasks import ring_for_events
from payouts.api.views import ApiView
from payouts.api.webhooks.told import (
    LETTER_EXAMPLE,
    ORDER_EXAMPLE,
    DeadLetterPage,
    OrderShape,
    told_letter,
    told_order,
    with_orders,
)
from payouts.api.webhooks.views import NEEDED, webhook_of

_PAGE: Final = 100
_MOST: Final = 2**31 - 1
_NUMBER: Final = re.compile("[0-9]{1,9}")
_BEFORE: Final = OpenApiParameter(
    "before",
    {"type": "integer", "minimum": 1, "maximum": 999_999_999},
    description="The number that the page before gave as `next`",
)


class DeadLettersView(ApiView):
    """The dead letters of a webhook."""

    needs = {"GET": NEEDED}
    asks = {"GET": (_BEFORE.name,)}

    @extend_schema(
        operation_id="list_dead_letters",
        summary="Events that a webhook did not take",
        parameters=[_BEFORE],
        responses=DeadLetterPage,
        examples=[
            OpenApiExample(
                "one", value={"dead_letters": [LETTER_EXAMPLE], "next": None}, response_only=True
            )
        ],
    )
    def get(self, _request: Request, webhook_id: UUID) -> Response:
        """What was given up after the last attempt, newest first, a hundred at a time."""
        webhook, text = webhook_of(self, webhook_id), self.asked.text("before")
        found = webhook.dead_letters.prefetch_related(with_orders()).order_by("-number")
        if text is not None:
            if not _NUMBER.fullmatch(text) or not int(text):
                raise not_taken("before", text, _("a number that was given as next"))
            found = found.filter(number__lt=int(text))
        letters = list(found[: _PAGE + 1])
        more = letters[_PAGE - 1].number if len(letters) > _PAGE else None
        return Response(
            {"dead_letters": [told_letter(one) for one in letters[:_PAGE]], "next": more}
        )


class ResendView(ApiView):
    """Sending a dead letter once more."""

    needs = {"POST": NEEDED}

    @extend_schema(
        operation_id="resend_dead_letter",
        summary="Send a dead letter once more",
        parameters=[
            OpenApiParameter(
                "number",
                {"type": "integer", "minimum": 1, "maximum": _MOST},
                OpenApiParameter.PATH,
            )
        ],
        request=None,
        responses={202: OrderShape},
        examples=[
            OpenApiExample("waiting", value=ORDER_EXAMPLE, response_only=True, status_codes=["202"])
        ],
    )
    def post(self, _request: Request, webhook_id: UUID, number: int) -> Response:
        """Tries it once, out of turn, under the id that it had; the webhook tells the answer."""
        webhook = webhook_of(self, webhook_id)
        rows = webhook.dead_letters.select_related("webhook__key")
        letter = rows.filter(number=number).first() if number <= _MOST else None
        if letter is None:
            error = FieldError("path:number", number, _("the number of one of its dead letters"))
            raise Problem(problems.NOT_FOUND, errors=[error])
        at, actor = timezone.now(), self.caller.actor
        order = resend_dead_letter(letter=letter, at=at, actor=actor)
        transaction.on_commit(_ring)
        return Response(told_order(order), status=202)


class PingView(ApiView):
    """Trying a webhook."""

    needs = {"POST": NEEDED}

    @extend_schema(
        operation_id="ping_webhook",
        summary="Try a webhook",
        request=None,
        responses={202: OrderShape},
        examples=[
            OpenApiExample(
                "waiting",
                value={**ORDER_EXAMPLE, "dead_letter": None},
                response_only=True,
                status_codes=["202"],
            )
        ],
    )
    def post(self, _request: Request, webhook_id: UUID) -> Response:
        """Sends a message of the type `ping`, signed as events are; the webhook says what came."""
        webhook = webhook_of(self, webhook_id)
        order = ping_webhook(webhook=webhook, at=timezone.now(), actor=self.caller.actor)
        transaction.on_commit(_ring)
        return Response(told_order(order), status=202)


def _ring() -> None:
    ring_for_events()
