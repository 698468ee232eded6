"""Delivery of events to webhooks: in order, at least once, without gaps.

Each event is a transaction: lock the state of the webhook, send the event, commit the cursor. Other
workers skip locked rows, so one worker at a time sends to a webhook. If a worker is killed, its
event is sent again with the same id.
"""

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from casino.integrations.add_webhook import secrets_in_force, subject_of
from casino.integrations.events.representation import encode_body, event_to_json, ping_body
from casino.integrations.events.stream import Event, event_of, events_after
from casino.integrations.models import DeadLetter, Webhook, WebhookOrder, WebhookState
from casino.integrations.post_to_webhook import Outcome, post
from casino.integrations.webhook_signing import signed_headers
from compliance.trail.actor import Actor
from compliance.trail.log.log_reader import log_size
from compliance.trail.record import Entry, record_entries

PAUSES: Final = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=24),
)
"""The pauses before further attempts, up to a fifth longer. After the last the event is dead."""
MOST_DEAD: Final = 3
"""The number of dead letters in a row that stops a webhook, so that no more events are lost."""
GONE: Final = 410
"""The status by which a receiver stops its webhook."""
_WAITING: Final = WebhookOrder.objects.filter(webhook=OuterRef("webhook"), tried_at=None)
_SENDER: Final = Actor("webhooks")
_AT_ONCE: Final = 100
_HEADERS: Final = {"Content-Type": "application/json", "User-Agent": "Sabot-Webhooks/1"}


def webhooks_due(*, at: datetime) -> list[UUID]:
    """The webhooks with possible deliveries, those that are due longest first."""
    due = Q(stopped_at=None, due_at__lte=at, seen__lt=log_size())
    states = states_in_force(at).filter(due | Exists(_WAITING)).order_by("due_at")
    return list(states.values_list("webhook_id", flat=True))


def deliver_events(
    webhook_id: UUID, *, now: Callable[[], datetime], is_over: Callable[[], bool]
) -> bool:
    """Sends pending events to a webhook until none is left or its time slice is over.

    Returns whether events may be left. Does nothing while another worker sends to it.
    """
    backlog = _Backlog()
    while not is_over():
        if not _deliver_next(webhook_id, backlog, now=now):
            return False
    return True


class _Backlog:
    """Events that were read ahead, valid while no other worker moves the cursor.

    It also caches address, types and secrets: those changed in the meantime are used until the time
    slice ends.
    """

    def __init__(self) -> None:
        self.secrets: list[str] = []
        self.url = ""
        self._events: deque[Event] = deque()
        self._from = self._seen = -1

    def next(self, state: WebhookState, *, at: datetime) -> Event | None:
        """The next event; None, with the cursor moved on, if the page has none."""
        if not self._events or state.seen != self._from:
            self._read(state)
            self.secrets = secrets_in_force(state.webhook, at=at)
        if self._events:
            return self._events[0]
        state.seen = self._seen
        return None

    def passed(self, state: WebhookState) -> None:
        """Moves the cursor past the event."""
        state.seen = self._from = self._events.popleft().seen

    def _read(self, state: WebhookState) -> None:
        webhook, current = state.webhook, state.webhook.current
        page = events_after(state.seen, key=webhook.key, limit=_AT_ONCE, types=current.types)
        self.url = current.url
        self._events, self._from, self._seen = deque(page.events), state.seen, page.seen


def _deliver_next(webhook_id: UUID, backlog: _Backlog, *, now: Callable[[], datetime]) -> bool:
    """Sends one event or order, or skips unwanted records; False if nothing is due."""
    with transaction.atomic():
        at = now()
        locked = states_in_force(at).select_for_update(of=("self",), skip_locked=True)
        locked = locked.annotate(is_ordered=Exists(_WAITING))
        state = locked.select_related("webhook__key").filter(webhook_id=webhook_id).first()
        if state is None:
            return False
        if state.is_ordered:
            _execute_order(state.webhook, now=now)
            return True
        if state.stopped_at is not None or state.due_at > at:
            return False
        before = state.seen
        event = backlog.next(state, at=at)
        if event is None:
            state.save()
            return state.seen > before
        began = now()
        body, secrets = encode_body(event_to_json(event)), backlog.secrets
        outcome = _send(backlog.url, str(event.id), body, secrets, at=began)
        _apply_outcome(state, event, outcome, began=began, at=now())
        if not state.attempts:
            backlog.passed(state)
        state.save()
        return not state.attempts and state.stopped_at is None


def states_in_force(at: datetime) -> QuerySet[WebhookState]:
    """States of webhooks that are not removed and whose keys are in force."""
    key = "webhook__key__"
    unexpired = Q(**{f"{key}expires_at": None}) | Q(**{f"{key}expires_at__gt": at})
    return WebhookState.objects.filter(
        unexpired, webhook__removal=None, **{f"{key}revocation": None}
    )


def _send(url: str, message: str, body: bytes, secrets: list[str], *, at: datetime) -> Outcome:
    signed = signed_headers(message=message, body=body, secrets=secrets, at=at)
    return post(url, body, {**_HEADERS, **signed})


def _execute_order(webhook: Webhook, *, now: Callable[[], datetime]) -> None:
    """Makes one attempt at the oldest order."""
    order = webhook.orders.filter(tried_at=None).earliest("pk")
    at, letter = now(), order.dead_letter
    if letter is None:
        message, body = f"ping_{order.pk}", ping_body(webhook=str(webhook.pk), at=at)
    else:
        event = event_of(letter.event_id)
        assert event is not None  # noqa: S101  the log is append-only
        message, body = str(event.id), encode_body(event_to_json(event))
    secrets = secrets_in_force(webhook, at=at)
    outcome = _send(webhook.current.url, message, body, secrets, at=at)
    order.tried_at, order.status, order.error = now(), outcome.status, outcome.error
    order.save()


def _apply_outcome(
    state: WebhookState, event: Event, outcome: Outcome, *, began: datetime, at: datetime
) -> None:
    """Sets the outcome of an attempt; ``attempts`` is 0 once the cursor may move on."""
    state.tried_at, state.status, state.error = at, outcome.status, outcome.error
    if outcome.is_accepted:
        state.attempts, state.first_tried_at, state.dead_in_a_row = 0, None, 0
        state.delivered += 1
        return
    state.attempts += 1
    state.first_tried_at = state.first_tried_at or began
    if outcome.status == GONE:
        _stop(state, at=at)
    elif state.attempts <= len(PAUSES):
        state.due_at = at + pause_after(state.attempts, event.id)
    else:
        _give_up(state, event, at=at)


def _give_up(state: WebhookState, event: Event, *, at: datetime) -> None:
    webhook = state.webhook
    number = DeadLetter.objects.filter(webhook=webhook).count() + 1
    DeadLetter.objects.create(
        webhook=webhook,
        number=number,
        event_id=event.id,
        leaf=event.leaf,
        type=event.type.value,
        attempts=state.attempts,
        status=state.status,
        error=state.error,
        first_tried_at=state.first_tried_at or at,
        died_at=at,
    )
    values = {"letter": number, "event": str(event.id), "error": state.error}
    _record("WEBHOOK_EVENT_DEAD", state, values, at=at)
    state.attempts, state.first_tried_at, state.due_at = 0, None, at
    state.dead_in_a_row += 1
    if state.dead_in_a_row >= MOST_DEAD:
        _stop(state, at=at)


def _stop(state: WebhookState, *, at: datetime) -> None:
    state.stopped_at = at
    _record("WEBHOOK_STOPPED", state, {"seen": state.seen, "error": state.error}, at=at)


def _record(action: str, state: WebhookState, values: dict[str, object], *, at: datetime) -> None:
    details = {"key": state.webhook.key.handle, **values}
    entry = Entry(action, subject_of(state.webhook_id), details)
    record_entries([entry], at=at, actor=_SENDER)


def pause_after(attempts: int, event_id: UUID) -> timedelta:
    """The pause after so many attempts, with a jitter that is derived from the event."""
    jitter = sha256(f"{event_id} {attempts}".encode()).digest()[0] / 255 / 5
    return PAUSES[attempts - 1] * (1 + jitter)
