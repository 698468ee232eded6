"""The tiles of *Today*: how many items of each kind await a person.

``TILES`` is the list. To add a tile, write a function and add it to the list.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.access.models import AccessRequest
from casino.backoffice.exports.messages import SIGN
from casino.backoffice.today.waiting import RowCount
from casino.integrations.models import WebhookState
from compliance.exports.bundle_status import unsent_bundles
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyStatus, status_of_key
from payouts.settlement.queries import RoundStatus, rounds_with_status
from payouts.stuck_work.kinds import WorkQuery, count_stuck
from payouts.stuck_work.models import WorkKind
from payouts.stuck_work.queue import oldest_stuck
from payouts.stuck_work.steps import unresolved
from rounds.formatting import moment
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound, Round

MOST_COUNTED: Final = 9_999


class _Waiting(NamedTuple):
    """What a tile counts: rows, or their number."""

    rows: QuerySet[Any] | int
    title: str
    note: str
    address: str


class Tile(NamedTuple):
    """A number on *Today*, counted up to ``MOST_COUNTED``."""

    title: str
    note: str
    address: str
    number: int
    is_capped: bool


def tiles_for(user: User) -> list[Tile]:
    """The tiles that the user is permitted to see; one query counts all rows."""
    waiting = [ask() for permission, ask in TILES if user.has_perm(permission)]
    counted = {
        f"tile_{place}": RowCount(tile.rows.order_by().values("pk")[: MOST_COUNTED + 1])
        for place, tile in enumerate(waiting)
        if isinstance(tile.rows, QuerySet)
    }
    numbers: Mapping[str, Any] = User.objects.values(**counted).get(pk=user.pk) if counted else {}
    return [
        _tile(tile, numbers.get(f"tile_{place}", tile.rows)) for place, tile in enumerate(waiting)
    ]


def _held_rounds() -> _Waiting:
    address = f"{reverse('admin:rounds_round_changelist')}?status=held"
    held = rounds_with_status(Round.objects.all(), RoundStatus.HELD)
    note = _("payout suspended pending a decision")
    return _Waiting(held, _("Held rounds"), note, address)


def _exceptions() -> _Waiting:
    """The exceptions queue, with the age of its oldest item."""
    now = timezone.now()
    since = oldest_stuck(WorkQuery(now), most=1)
    note = _("oldest since %(when)s") % {"when": moment(since[0])} if since else _("no open items")
    address = reverse("stuck_work")
    number = count_stuck(now, most=MOST_COUNTED + 1)
    return _Waiting(number, _("Exceptions queue"), note, address)


def _quarantined_documents() -> _Waiting:
    rows = unresolved(WorkKind.DOCUMENT, QuarantinedDocument.objects.all())
    note = _("rejected and stored unchanged")
    address = f"{reverse('stuck_work')}?kind={WorkKind.DOCUMENT.value}"
    return _Waiting(rows, _("Quarantined documents"), note, address)


def _conflicting_documents() -> _Waiting:
    rows = unresolved(WorkKind.CONFLICT, ConflictingDocument.objects.all())
    note = _("different content for a stored round")
    address = f"{reverse('stuck_work')}?kind={WorkKind.CONFLICT.value}"
    return _Waiting(rows, _("Conflicting documents"), note, address)


def _queued_rounds() -> _Waiting:
    rows = QueuedRound.objects.all()
    address = reverse("admin:rounds_queuedround_changelist")
    title, note = _("Rounds awaiting settlement"), _("queued for a worker")
    return _Waiting(rows, title, note, address)


def _bundles() -> _Waiting:
    title, note = _("Bundles to sign or send"), _("for the regulator")
    return _Waiting(unsent_bundles(), title, note, reverse("exports"))


def _access_requests() -> _Waiting:
    rows = AccessRequest.objects.filter(decision=None)
    title, note = _("Access requests"), _("awaiting a second person")
    return _Waiting(rows, title, note, reverse("access_requests"))


def _signing_keys() -> _Waiting:
    now = timezone.now()
    keys = SigningKey.objects.prefetch_related("steps")
    number = sum(status_of_key(key, at=now) is KeyStatus.PENDING for key in keys)
    title, note = _("Signing keys"), _("awaiting approval")
    return _Waiting(number, title, note, reverse("signing_keys"))


def _stopped_webhooks() -> _Waiting:
    stopped = WebhookState.objects.filter(stopped_at__isnull=False, webhook__removal=None)
    title, note = _("Stopped webhooks"), _("their programs receive nothing")
    return _Waiting(stopped, title, note, reverse("webhooks"))


TILES: Final[tuple[tuple[str, Callable[[], _Waiting]], ...]] = (
    ("rounds.view_round", _held_rounds),
    ("rounds.view_round", _exceptions),
    ("rounds.view_round", _quarantined_documents),
    ("rounds.view_round", _conflicting_documents),
    ("rounds.view_round", _queued_rounds),
    (SIGN, _bundles),
    ("casino.view_accessrequest", _access_requests),
    ("signatures.view_signingkey", _signing_keys),
    ("api.view_apikey", _stopped_webhooks),
)
"""Each tile with the permission that it requires."""


def _tile(tile: _Waiting, number: int) -> Tile:
    is_capped = number > MOST_COUNTED
    return Tile(tile.title, tile.note, tile.address, min(number, MOST_COUNTED), is_capped)
