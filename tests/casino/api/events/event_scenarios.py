"""Settled, corrected and voided rounds, and webhooks that receive their events."""

from datetime import datetime
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone

from casino.integrations.add_webhook import IssuedSecret, NewWebhook, add_webhook
from casino.integrations.deliver_events import deliver_events
from casino.integrations.issue_key import IssuedKey, NewKey, issue_key
from casino.integrations.models import ApiKey, Webhook
from compliance.trail.log.append_to_log import append_to_log
from tests.casino.api.api_client import ADMINISTRATOR, EVERYTHING, Program, issued, json_of
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD
from tests.payouts.settlement.resettlement_scenarios import resettle, void

EVENTS: Final = "/api/v1/events"
WEBHOOKS: Final = "/api/v1/webhooks"


def log() -> None:
    """Adds waiting records to the log, as the worker with the key does."""
    append_to_log(KEY, now=NOW)


def settled_rounds(*references: str, table: str = "bac-1") -> None:
    """Delivers and settles rounds, and adds them to the log."""
    ingest(lines(*(baccarat_round(reference, table=table) for reference in references)))
    settle()
    log()


def everything_happens() -> list[tuple[str, str, int]]:
    """Every event of rounds; returns the expected events: type, round, settlement.

    r-1 is settled, voided, and settled again; r-2 is held, and settled by a ruling of two persons;
    r-3 is held and voided; r-4 stays held.
    """
    open_table()
    held = [held_baccarat_round(reference) for reference in ("r-2", "r-3", "r-4")]
    ingest(lines(baccarat_round("r-1"), *held))
    settle()
    void("r-1", after=1)
    resettle("r-2", after=0, ruling=NO_EXTRA_CARD)
    void("r-3", after=0)
    resettle("r-1", after=2)
    log()
    return [
        ("round.settled", "r-1", 1),
        ("round.voided", "r-1", 2),
        ("round.settled", "r-2", 1),
        ("round.voided", "r-3", 1),
        ("round.corrected", "r-1", 3),
    ]


def bound_to(*tables: str) -> IssuedKey:
    """A key limited to these tables."""
    requested = NewKey(kind="studio", owner="Live Studio", scopes=EVERYTHING, tables=tables)
    return issue_key(new=requested, at=NOW, actor=ADMINISTRATOR)


def page_after(program: Program, after: str, **requested: int) -> Any:
    """A page of the event stream."""
    query = "".join(f"&{name}={value}" for name, value in requested.items())
    answer = program.get(f"{EVENTS}?cursor={after}{query}")
    assert answer.status_code == 200, answer.content
    return json_of(answer)


def all_events(program: Program, **requested: int) -> list[Any]:
    """All events, page by page."""
    events, after = [], "0"
    while True:
        page = page_after(program, after, **requested)
        events += page["data"]
        after = page["next"]
        if not page["more"]:
            return events


def webhook_to(
    url: str,
    *,
    key: ApiKey | None = None,
    seen: int | None = 0,
    types: tuple[str, ...] = (),
    at: datetime = NOW,
) -> IssuedSecret:
    """Adds a webhook that starts at the beginning of the log."""
    requested = NewWebhook(url, types, "", seen)
    owner = key or issued(at=at).key
    return add_webhook(key=owner, new=requested, at=at, actor=ADMINISTRATOR)


def deliver(webhook: Webhook, *, at: datetime | None = None) -> None:
    """Delivers all due events, as a worker does."""
    assert not deliver_events(webhook.pk, now=lambda: at or timezone.now(), is_over=lambda: False)


def webhook_status_after(program: Program, webhook: str) -> Any:
    """The status of a webhook, read by the API."""
    return json_of(program.get(f"{WEBHOOKS}/{webhook}"))


def added(program: Program, **requested: object) -> HttpResponse:
    """Adds a webhook by the API."""
    return program.post(WEBHOOKS, requested)
