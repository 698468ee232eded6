"""``/webhooks``: add, read, rotate, resume and remove webhooks."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import webhooks as shapes
from casino.api.client.shapes.page import Page
from casino.api.events.views import check_is_program
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.pages import page_of
from casino.api.problems import FieldError, Problem
from casino.api.views import ApiView
from casino.api.webhooks.bodies import SecretRequest, WebhookChanges, WebhookRequest
from casino.api.webhooks.representation import webhook_details
from casino.integrations.add_webhook import (
    NewWebhook,
    add_webhook,
    rotate_webhook,
)
from casino.integrations.change_webhook import change_webhook, remove_webhook, resume_webhook
from casino.integrations.models import Webhook
from casino.integrations.scopes import Scope
from compliance.trail.steps import StaleState

SCOPES: Final = (Scope.ROUNDS_READ, Scope.EVENTS_MANAGE)
_RESPONSE: Final = component(shapes.Webhook)
NOT_STOPPED: Final = problems.declare_problem(
    "webhook-not-stopped",
    409,
    gettext_lazy("The webhook is not stopped"),
    gettext_lazy("Only a stopped webhook can be resumed."),
)


class WebhooksView(ApiView):
    """The webhooks of a key."""

    required_scopes = {"GET": SCOPES, "POST": SCOPES}

    @operation("list_webhooks", "List the webhooks of the key", component(Page[shapes.Webhook]))
    def get(self, _request: Request) -> Response:
        """Newest first. A key has at most 20."""
        check_is_program(self.caller)
        rows = Webhook.objects.filter(key=self.caller.key, removal=None)
        webhooks = rows.select_related("state").order_by("-made_at", "pk")
        return Response(page_of(map(self._details, webhooks), None))

    @operation(
        "add_webhook",
        "Add a webhook",
        {201: component(shapes.WebhookWithSecret)},
        request=WebhookRequest,
    )
    def post(self, request: Request) -> Response:
        """Sends events to an address, from now on or after a cursor, signed with the secret.

        The secret is shown only once. The webhook receives what the key may read while it is valid.
        """
        check_is_program(self.caller)
        form = WebhookRequest(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        settings = NewWebhook(
            url=data["url"],
            types=data.get("types", ()),
            description=data.get("description", ""),
            seen=int(data["cursor"]) if "cursor" in data else None,
        )
        at, caller = timezone.now(), self.caller
        added = add_webhook(key=caller.key, new=settings, at=at, actor=caller.actor)
        details = vars(self._details(added.webhook))
        answer = shapes.WebhookWithSecret(**details, secret=added.secret)
        return Response(answer, status=201, headers={"Location": answer.links.self})

    def _details(self, webhook: Webhook) -> shapes.Webhook:
        webhook.key = self.caller.key
        return webhook_details(webhook, at=timezone.now())


class WebhookView(ApiView):
    """One webhook."""

    required_scopes = {"GET": SCOPES, "PATCH": SCOPES, "DELETE": SCOPES}

    @operation("read_webhook", "Read the status of a webhook", _RESPONSE)
    def get(self, _request: Request, webhook_id: UUID) -> Response:
        """Its position in the log, the last response, and the last error."""
        return Response(webhook_details(get_webhook(self, webhook_id), at=timezone.now()))

    @operation("change_webhook", "Change a webhook", _RESPONSE, request=WebhookChanges)
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Changes the address, the types or the description, from the next attempt on.

        Position, secrets and dead letters stay. A stopped webhook has to be resumed as well.
        """
        webhook = get_webhook(self, webhook_id)
        form = WebhookChanges(data=request.data)
        form.is_valid(raise_exception=True)
        at, actor = timezone.now(), self.caller.actor
        change_webhook(webhook=webhook, **form.validated_data, at=at, actor=actor)
        return Response(webhook_details(webhook, at=at))

    @operation("remove_webhook", "Remove a webhook", {204: OpenApiResponse(description="Removed")})
    def delete(self, _request: Request, webhook_id: UUID) -> Response:
        """Stops all further deliveries; one that is in progress is completed."""
        webhook = get_webhook(self, webhook_id)
        try:
            remove_webhook(webhook=webhook, at=timezone.now(), actor=self.caller.actor)
        except StaleState:
            raise _not_found(webhook_id) from None
        return Response(status=204)


class WebhookSecretsView(ApiView):
    """The secrets of a webhook."""

    required_scopes = {"POST": SCOPES}

    @operation(
        "rotate_webhook",
        "Rotate the secret of a webhook",
        {201: component(shapes.WebhookSecret)},
        request=SecretRequest,
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Signs with a new secret at once, and with the previous ones during the overlap.

        During the overlap a message has one signature per secret; one valid signature is enough.
        """
        webhook = get_webhook(self, webhook_id)
        form = SecretRequest(data=request.data)
        form.is_valid(raise_exception=True)
        overlap = timedelta(hours=form.validated_data["overlap_hours"])
        at, actor = timezone.now(), self.caller.actor
        rotated = rotate_webhook(webhook=webhook, overlap=overlap, at=at, actor=actor)
        answer = shapes.WebhookSecret(
            secret=rotated.secret, previous_valid_until=rotated.earlier_until
        )
        return Response(answer, status=201)


class WebhookResumeView(ApiView):
    """Resuming a webhook."""

    required_scopes = {"POST": SCOPES}

    @operation("resume_webhook", "Resume a stopped webhook", _RESPONSE, request=None)
    def post(self, _request: Request, webhook_id: UUID) -> Response:
        """Continues after the last delivered event; none is skipped."""
        webhook = get_webhook(self, webhook_id)
        try:
            resume_webhook(webhook=webhook, at=timezone.now(), actor=self.caller.actor)
        except StaleState:
            raise Problem(NOT_STOPPED) from None
        webhook.state.refresh_from_db()
        return Response(webhook_details(webhook, at=timezone.now()))


def get_webhook(view: ApiView, webhook_id: UUID) -> Webhook:
    """A webhook of the key that calls. Raises Problem (404)."""
    check_is_program(view.caller)
    rows = Webhook.objects.select_related("state", "key")
    webhook = rows.filter(pk=webhook_id, key=view.caller.key, removal=None).first()
    if webhook is None:
        raise _not_found(webhook_id)
    return webhook


def _not_found(webhook_id: UUID) -> Problem:
    error = FieldError("path:webhook_id", webhook_id, _("the ID of a webhook of this key"))
    return Problem(problems.NOT_FOUND, errors=[error])
