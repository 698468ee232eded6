"""Webhooks in the API: made, looked at, given new secrets, started again, removed."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.events.views import check_is_program
from payouts.api.models import Webhook
from payouts.api.problems import FieldError, Problem
from payouts.api.scopes import Scope
from payouts.api.services.add_webhook import AskedWebhook, add_webhook, rotate_webhook
from payouts.api.services.change_webhook import WebhookMoved, remove_webhook, resume_webhook
from payouts.api.views import ApiView
from payouts.api.webhooks.told import (
    ASKED_EXAMPLE,
    MADE_EXAMPLE,
    SECRET_EXAMPLE,
    WEBHOOK_EXAMPLE,
    AskedSecretShape,
    AskedWebhookShape,
    MadeSecretShape,
    MadeWebhookShape,
    WebhookShape,
    told_webhook,
)

NEEDED: Final = (Scope.ROUNDS_READ, Scope.EVENTS_MANAGE)
_ASKED: Final = OpenApiExample("corrections only", value=ASKED_EXAMPLE, request_only=True)
_ONE: Final = OpenApiExample("running", value=WEBHOOK_EXAMPLE, response_only=True)
NOT_STOPPED: Final = problems.kind(
    "webhook-not-stopped",
    409,
    gettext_lazy("The webhook was not stopped"),
    gettext_lazy("Only a webhook that stands still can be started again."),
)


class WebhooksView(ApiView):
    """The webhooks of a key."""

    needs = {"GET": NEEDED, "POST": NEEDED}

    @extend_schema(
        operation_id="list_webhooks",
        summary="All webhooks of the key",
        responses=WebhookShape(many=True),
        examples=[_ONE],
    )
    def get(self, _request: Request) -> Response:
        """How each of them stands, the newest first. A key has at most 20."""
        check_is_program(self.caller)
        rows = Webhook.objects.filter(key=self.caller.key, removal=None)
        found = rows.select_related("state").order_by("-made_at", "pk")
        return Response([self._told(one) for one in found])

    @extend_schema(
        operation_id="add_webhook",
        summary="Have events sent",
        request=AskedWebhookShape,
        responses={201: MadeWebhookShape},
        examples=[
            _ASKED,
            OpenApiExample("made", value=MADE_EXAMPLE, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """Sends events to an address from now on, or from a cursor on, signed with the secret.

        The secret is told this once. What is sent is what the key may see, while it is in force.
        """
        check_is_program(self.caller)
        form = AskedWebhookShape(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        asked = AskedWebhook(
            url=said["url"],
            types=said.get("types", ()),
            description=said.get("description", ""),
            seen=int(said["after"]) if "after" in said else None,
        )
        at, caller = timezone.now(), self.caller
        made = add_webhook(key=caller.key, asked=asked, at=at, actor=caller.actor)
        told = {**self._told(made.webhook), "secret": made.secret}
        return Response(told, status=201, headers={"Location": told["links"]["self"]})

    def _told(self, webhook: Webhook) -> dict[str, Any]:
        webhook.key = self.caller.key
        return told_webhook(webhook, at=timezone.now())


class WebhookView(ApiView):
    """One webhook."""

    needs = {"GET": NEEDED, "DELETE": NEEDED}

    @extend_schema(
        operation_id="get_webhook",
        summary="How a webhook stands",
        responses=WebhookShape,
        examples=[_ONE],
    )
    def get(self, _request: Request, webhook_id: UUID) -> Response:
        """How far it has come, what was answered last, and what is wrong if something is."""
        return Response(told_webhook(webhook_of(self, webhook_id), at=timezone.now()))

    @extend_schema(
        operation_id="remove_webhook",
        summary="Have no more events sent",
        responses={204: OpenApiResponse(description="It has ended")},
    )
    def delete(self, _request: Request, webhook_id: UUID) -> Response:
        """Ends the webhook; what is being sent at this moment is the last."""
        webhook = webhook_of(self, webhook_id)
        try:
            remove_webhook(webhook=webhook, at=timezone.now(), actor=self.caller.actor)
        except WebhookMoved:
            raise _none(webhook_id) from None
        return Response(status=204)


class WebhookSecretsView(ApiView):
    """The secrets of a webhook."""

    needs = {"POST": NEEDED}

    @extend_schema(
        operation_id="rotate_webhook",
        summary="A new secret for a webhook",
        request=AskedSecretShape,
        responses={201: MadeSecretShape},
        examples=[
            OpenApiExample("a day's overlap", value={"overlap_hours": 24}, request_only=True),
            OpenApiExample("made", value=SECRET_EXAMPLE, response_only=True),
        ],
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Signs with a new secret at once, and with those before it too while they overlap.

        During the overlap each message has a signature a secret; one that fits is enough.
        """
        webhook = webhook_of(self, webhook_id)
        form = AskedSecretShape(data=request.data)
        form.is_valid(raise_exception=True)
        overlap = timedelta(hours=form.validated_data["overlap_hours"])
        at, actor = timezone.now(), self.caller.actor
        made = rotate_webhook(webhook=webhook, overlap=overlap, at=at, actor=actor)
        told = {"secret": made.secret, "earlier_until": made.earlier_until}
        return Response(MadeSecretShape(told).data, status=201)


class WebhookResumeView(ApiView):
    """Starting a webhook again."""

    needs = {"POST": NEEDED}

    @extend_schema(
        operation_id="resume_webhook",
        summary="Start a webhook again that was stopped",
        request=None,
        responses=WebhookShape,
        examples=[_ONE],
    )
    def post(self, _request: Request, webhook_id: UUID) -> Response:
        """Goes on from where it stood: nothing was skipped meanwhile."""
        webhook = webhook_of(self, webhook_id)
        try:
            resume_webhook(webhook=webhook, at=timezone.now(), actor=self.caller.actor)
        except WebhookMoved:
            raise Problem(NOT_STOPPED) from None
        webhook.state.refresh_from_db()
        return Response(told_webhook(webhook, at=timezone.now()))


def webhook_of(view: ApiView, webhook_id: UUID) -> Webhook:
    """The webhook, where it is one of the key that calls. Raises Problem."""
    check_is_program(view.caller)
    rows = Webhook.objects.select_related("state", "key")
    webhook = rows.filter(pk=webhook_id, key=view.caller.key, removal=None).first()
    if webhook is None:
        raise _none(webhook_id)
    return webhook


def _none(webhook_id: UUID) -> Problem:
    error = FieldError("path:webhook_id", webhook_id, _("the id of a webhook of this key"))
    return Problem(problems.NOT_FOUND, errors=[error])
