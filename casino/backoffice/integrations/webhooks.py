"""Webhooks: status, dead letters and manual deliveries."""

from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.integrations.keys import MANAGE
from casino.backoffice.integrations.response_texts import translate_response
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import text_filter
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.keyset_paging import page_of
from casino.backoffice.site.views import show
from casino.integrations.change_webhook import ping_webhook, resend_dead_letter, resume_webhook
from casino.integrations.models import DeadLetter, Webhook, WebhookChange, WebhookOrder
from casino.integrations.tasks import wake_event_workers
from casino.integrations.webhook_status import WebhookStatus, webhook_status, with_orders
from compliance.trail.log.log_reader import log_size
from compliance.trail.steps import StaleState

_ORDERS: Final = 20
_CHANGED_URL: Final = Subquery(
    WebhookChange.objects.filter(webhook=OuterRef("pk")).order_by("-sequence").values("url")[:1]
)
_JOINED: Final = ("key__revocation", "state", "removal")


class WebhookRow(NamedTuple):
    """A webhook in the list."""

    webhook: Webhook
    status: WebhookStatus
    behind: int
    """Number of log records not delivered yet."""

    @property
    def badge(self) -> str:
        """The name of its badge."""
        return f"webhook-{self.status.value}"


LIST: Final = ListSpec(
    name="webhooks",
    filters=(
        text_filter(
            "owner",
            gettext_lazy("Owner"),
            lambda rows, value: rows.filter(key__owner__icontains=value),
        ),
        text_filter(
            "address",
            gettext_lazy("Address"),
            lambda rows, value: rows.filter(current_url__icontains=value),
        ),
    ),
    columns=(
        Column(
            "owner", gettext_lazy("Owner"), lambda line: line.webhook.key.owner, sort="key__owner"
        ),
        Column(
            "address",
            gettext_lazy("Address"),
            lambda line: line.webhook.current.url,
            sort="current_url",
        ),
        Column("status", gettext_lazy("Status"), lambda line: badge_label(line.badge)),
        Column(
            "delivered",
            gettext_lazy("Delivered"),
            lambda line: line.webhook.state.delivered,
            Kind.COUNT,
        ),
        Column("behind", gettext_lazy("Records pending"), lambda line: line.behind, Kind.COUNT),
        Column(
            "answer",
            gettext_lazy("Last response"),
            lambda line: translate_response(line.webhook.state.error) or line.webhook.state.status,
        ),
    ),
)


def show_webhooks(request: HttpRequest) -> HttpResponse:
    """All webhooks, newest first, including ended ones."""
    size = log_size()

    def lines(webhooks: list[Webhook]) -> list[WebhookRow]:
        return [_line(webhook, size) for webhook in webhooks]

    rows = Webhook.objects.annotate(current_url=Coalesce(_CHANGED_URL, "url"))
    rows = rows.select_related(*_JOINED).prefetch_related("key__secrets", "changes")
    template = "backoffice/integrations/webhooks.html"
    return show_list(request, LIST, rows, template, {"title": _("Webhooks")}, lines_of=lines)


def show_webhook(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """A webhook: status, dead letters and manual deliveries."""
    webhook = get_object_or_404(Webhook.objects.select_related(*_JOINED), pk=webhook_id)
    letters = webhook.dead_letters.prefetch_related(with_orders())
    page = page_of(letters, request.GET)
    line = _line(webhook, log_size())
    orders = webhook.orders.select_related("dead_letter").order_by("-pk")[:_ORDERS]
    context = {
        "title": _("Webhook of %(owner)s") % {"owner": webhook.key.owner},
        "parent": {"title": _("Webhooks"), "address": reverse("webhooks")},
        "line": line,
        "page": page,
        "letters": [(row, _latest(row)) for row in page.rows],
        "orders": orders,
        "may_manage": request.user.has_perm(MANAGE) and line.status != WebhookStatus.ENDED,
    }
    return show(request, "backoffice/integrations/webhook.html", context)


def resend(request: HttpRequest, webhook_id: UUID, number: int) -> HttpResponse:
    """Send a dead letter again."""
    rows = DeadLetter.objects.select_related("webhook__key")
    letter = get_object_or_404(rows, webhook_id=webhook_id, number=number)
    resend_dead_letter(letter=letter, at=timezone.now(), actor=actor_in(request))
    return _sent(request, webhook_id)


def ping(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Send a ping."""
    webhook = get_object_or_404(Webhook.objects.select_related("key"), pk=webhook_id)
    ping_webhook(webhook=webhook, at=timezone.now(), actor=actor_in(request))
    return _sent(request, webhook_id)


def resume(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Resume a stopped webhook."""
    webhook = get_object_or_404(Webhook.objects.select_related("key"), pk=webhook_id)
    try:
        resume_webhook(webhook=webhook, at=timezone.now(), actor=actor_in(request))
    except StaleState:
        messages.warning(request, _("The webhook is already running."))
    else:
        wake_event_workers()
        messages.success(request, _("Webhook resumed. No events were skipped."))
    return redirect("webhook", webhook_id)


def _sent(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    wake_event_workers()
    messages.success(request, _("Sending. The response appears below."))
    return redirect("webhook", webhook_id)


def _line(webhook: Webhook, size: int) -> WebhookRow:
    status = webhook_status(webhook, at=timezone.now())
    return WebhookRow(webhook, status, max(size - webhook.state.seen, 0))


def _latest(letter: DeadLetter) -> Any:
    orders: list[WebhookOrder] = list(letter.orders.all())
    return max(orders, key=lambda item: item.pk, default=None)
