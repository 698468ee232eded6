"""Webhooks in the admin: how each stands, what it did not take, and sending that again."""

from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.following import log_size
from payouts.api.models import DeadLetter, Webhook, WebhookOrder
from payouts.api.pages.keys import MANAGE
from payouts.api.services.change_webhook import (
    WebhookMoved,
    ping_webhook,
    resend_dead_letter,
    resume_webhook,
)
from payouts.api.tasks import ring_for_events
from payouts.api.webhooks.told import WebhookStanding, standing_of_webhook, with_orders
from payouts.pages.asked import asker
from payouts.pages.own_pages import show
from payouts.pages.paging import page_of

_ORDERS: Final = 20
_JOINED: Final = ("key__revocation", "state", "removal")


class Line(NamedTuple):
    """A webhook as pages show it."""

    webhook: Webhook
    standing: WebhookStanding
    behind: int
    """Records of the log that it has not come to."""

    @property
    def pill(self) -> str:
        """The name of its mark."""
        return f"webhook-{self.standing.value}"


def show_webhooks(request: HttpRequest) -> HttpResponse:
    """All webhooks, newest first, those that have ended too."""
    page = page_of(
        Webhook.objects.select_related(*_JOINED).prefetch_related("key__secrets"),
        before=request.GET.get("before"),
        after=request.GET.get("after"),
    )
    size = log_size()
    context = {
        "title": _("Webhooks"),
        "page": page,
        "rows": [_line(one, size) for one in page.rows],
    }
    return show(request, "pages/api/webhooks.html", context)


def show_webhook(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """How a webhook stands, its dead letters, and what was sent out of turn."""
    webhook = get_object_or_404(Webhook.objects.select_related(*_JOINED), pk=webhook_id)
    letters = webhook.dead_letters.prefetch_related(with_orders())
    page = page_of(letters, before=request.GET.get("before"), after=request.GET.get("after"))
    line = _line(webhook, log_size())
    orders = webhook.orders.select_related("dead_letter").order_by("-pk")[:_ORDERS]
    context = {
        "title": _("Webhook of %(owner)s") % {"owner": webhook.key.owner},
        "parent": {"title": _("Webhooks"), "address": reverse("webhooks")},
        "line": line,
        "page": page,
        "letters": [(one, _latest(one)) for one in page.rows],
        "orders": orders,
        "may_manage": request.user.has_perm(MANAGE) and line.standing != WebhookStanding.ENDED,
    }
    return show(request, "pages/api/webhook.html", context)


def resend(request: HttpRequest, webhook_id: UUID, number: int) -> HttpResponse:
    """Has a dead letter sent once more."""
    rows = DeadLetter.objects.select_related("webhook__key")
    letter = get_object_or_404(rows, webhook_id=webhook_id, number=number)
    resend_dead_letter(letter=letter, at=timezone.now(), actor=asker(request))
    return _sent(request, webhook_id)


def ping(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Has a webhook tried."""
    webhook = get_object_or_404(Webhook.objects.select_related("key"), pk=webhook_id)
    ping_webhook(webhook=webhook, at=timezone.now(), actor=asker(request))
    return _sent(request, webhook_id)


def resume(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Starts a webhook again that was stopped."""
    webhook = get_object_or_404(Webhook.objects.select_related("key"), pk=webhook_id)
    try:
        resume_webhook(webhook=webhook, at=timezone.now(), actor=asker(request))
    except WebhookMoved:
        messages.warning(request, _("It was running already; nothing was done."))
    else:
        ring_for_events()
        messages.success(request, _("It goes on from where it stood; nothing was skipped."))
    return redirect("webhook", webhook_id)


def _sent(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    ring_for_events()
    messages.success(request, _("A worker sends it now; what is answered stands below."))
    return redirect("webhook", webhook_id)


def _line(webhook: Webhook, size: int) -> Line:
    standing = standing_of_webhook(webhook, at=timezone.now())
    return Line(webhook, standing, max(size - webhook.state.seen, 0))


def _latest(letter: DeadLetter) -> Any:  # noqa: ANN401  an order, or none
    orders: list[WebhookOrder] = list(letter.orders.all())
    return max(orders, key=lambda one: one.pk, default=None)
