"""Sending events to webhooks: in order, at least once, never skipping one.

Each event is a transaction: the row of the webhook's state is locked, the event is sent, and how
far it has come is committed. Who else comes meanwhile passes the row by, so nobody sends to a
webhook at the same time. A worker that is killed leaves the row as it was, and the event is sent
again under the same id: once more at most, since one is under way at a time.
"""

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from compliance.trail.actor import Actor
from compliance.trail.following import log_size
from compliance.trail.record import Entry, record_entries
from payouts.api.events.stream import Event, event_of, events_after
from payouts.api.events.told import as_body, ping_body, told_event
from payouts.api.models import DeadLetter, Webhook, WebhookOrder, WebhookState
from payouts.api.services.add_webhook import secrets_in_force, subject_of
from payouts.api.webhooks.posting import Outcome, post
from payouts.api.webhooks.signing import signed_headers

PAUSES: Final = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(hours=24),
)
"""Before each further attempt, a fifth longer at most. Who fails after the last is given up."""
MOST_DEAD: Final = 3
"""So many dead letters in a row stop a webhook: nobody is there, and nothing more shall be lost."""
GONE: Final = 410
"""The status by which a receiver says that it wants no more."""
_WAITING: Final = WebhookOrder.objects.filter(webhook=OuterRef("webhook"), tried_at=None)
_SENDER: Final = Actor("webhooks")
_AT_ONCE: Final = 100
_HEADERS: Final = {"Content-Type": "application/json", "User-Agent": "Sabot-Webhooks/1"}


def webhooks_due(*, at: datetime) -> list[UUID]:
    """The webhooks that may have something to be sent, longest waiting first."""
    due = Q(stopped_at=None, due_at__lte=at, seen__lt=log_size())
    found = _in_force(at).filter(due | Exists(_WAITING)).order_by("due_at")
    return list(found.values_list("webhook_id", flat=True))


def deliver_events(
    webhook_id: UUID, *, now: Callable[[], datetime], is_over: Callable[[], bool]
) -> bool:
    """Sends what there is for a webhook until nothing is left or its turn is over.

    Gives whether it was over before. Nothing is done while somebody else sends to it.
    """
    backlog = _Backlog()
    while not is_over():
        if not _deliver_next(webhook_id, backlog, now=now):
            return False
    return True


class _Backlog:
    """Events that were read ahead, for as long as nobody else moves the cursor.

    With the secrets that sign them: one that is rotated meanwhile signs on until the turn is over.
    """

    def __init__(self) -> None:
        self.secrets: list[str] = []
        self._events: deque[Event] = deque()
        self._from = self._seen = -1

    def next(self, state: WebhookState, *, at: datetime) -> Event | None:
        """The event that comes next; None where there is none, and then the cursor goes on."""
        if not self._events or state.seen != self._from:
            self._read(state)
            self.secrets = secrets_in_force(state.webhook, at=at)
        if self._events:
            return self._events[0]
        state.seen = self._seen
        return None

    def passed(self, state: WebhookState) -> None:
        """The event is behind the webhook."""
        state.seen = self._from = self._events.popleft().seen

    def _read(self, state: WebhookState) -> None:
        webhook = state.webhook
        page = events_after(
            state.seen, limit=_AT_ONCE, tables=webhook.key.tables, types=webhook.types
        )
        self._events, self._from, self._seen = deque(page.events), state.seen, page.seen


def _deliver_next(webhook_id: UUID, backlog: _Backlog, *, now: Callable[[], datetime]) -> bool:
    """Sends one thing, or passes over what is not wanted; False where nothing is due."""
    with transaction.atomic():
        at = now()
        locked = _in_force(at).select_for_update(of=("self",), skip_locked=True)
        locked = locked.annotate(is_ordered=Exists(_WAITING))
        state = locked.select_related("webhook__key").filter(webhook_id=webhook_id).first()
        if state is None:
            return False
        if state.is_ordered:
            _carry_out(state.webhook, now=now)
            return True
        if state.stopped_at is not None or state.due_at > at:
            return False
        before = state.seen
        event = backlog.next(state, at=at)
        if event is None:
            state.save()
            return state.seen > before
        began = now()
        body, secrets = as_body(told_event(event)), backlog.secrets
        outcome = _send(state.webhook.url, str(event.id), body, secrets, at=began)
        _note(state, event, outcome, began=began, at=now())
        if not state.attempts:
            backlog.passed(state)
        state.save()
        return not state.attempts and state.stopped_at is None


def _in_force(at: datetime) -> QuerySet[WebhookState]:
    """States of webhooks that are not removed and whose keys are in force."""
    key = "webhook__key__"
    unexpired = Q(**{f"{key}expires_at": None}) | Q(**{f"{key}expires_at__gt": at})
    return WebhookState.objects.filter(
        unexpired, webhook__removal=None, **{f"{key}revocation": None}
    )


def _send(url: str, message: str, body: bytes, secrets: list[str], *, at: datetime) -> Outcome:
    signed = signed_headers(message=message, body=body, secrets=secrets, at=at)
    return post(url, body, {**_HEADERS, **signed})


def _carry_out(webhook: Webhook, *, now: Callable[[], datetime]) -> None:
    """Tries once what was ordered first."""
    order = webhook.orders.filter(tried_at=None).earliest("pk")
    at, letter = now(), order.dead_letter
    if letter is None:
        message, body = f"ping_{order.pk}", ping_body(webhook=str(webhook.pk), at=at)
    else:
        event = event_of(letter.event_id)
        assert event is not None  # noqa: S101  nothing leaves the log
        message, body = str(event.id), as_body(told_event(event))
    secrets = secrets_in_force(webhook, at=at)
    outcome = _send(webhook.url, message, body, secrets, at=at)
    order.tried_at, order.status, order.error = now(), outcome.status, outcome.error
    order.save()


def _note(
    state: WebhookState, event: Event, outcome: Outcome, *, began: datetime, at: datetime
) -> None:
    """What follows from an attempt; ``attempts`` is 0 where the event is behind the webhook."""
    state.tried_at, state.status, state.error = at, outcome.status, outcome.error
    if outcome.is_taken:
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
    told = {"letter": number, "event": str(event.id), "error": state.error}
    _record("WEBHOOK_EVENT_DEAD", state, told, at=at)
    state.attempts, state.first_tried_at, state.due_at = 0, None, at
    state.dead_in_a_row += 1
    if state.dead_in_a_row >= MOST_DEAD:
        _stop(state, at=at)


def _stop(state: WebhookState, *, at: datetime) -> None:
    state.stopped_at = at
    _record("WEBHOOK_STOPPED", state, {"seen": state.seen, "error": state.error}, at=at)


def _record(action: str, state: WebhookState, told: dict[str, object], *, at: datetime) -> None:
    details = {"key": state.webhook.key.handle, **told}
    entry = Entry(action, subject_of(state.webhook_id), details)
    record_entries([entry], at=at, actor=_SENDER)


def pause_after(attempts: int, event_id: UUID) -> timedelta:
    """How long to wait after so many attempts, for some a little longer: not all come at once.

    How much longer follows from the event, so that it can be told afterwards.
    """
    spread = sha256(f"{event_id} {attempts}".encode()).digest()[0] / 255 / 5
    return PAUSES[attempts - 1] * (1 + spread)
