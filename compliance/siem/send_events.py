"""Sending the signed log to a receiver: in its order, at least once, without gaps.

Each batch is a transaction: lock the receiver's cursor, send, commit the cursor. Another process
skips a locked cursor, so one at a time sends to a receiver. If a process is killed, the events of
its batch are sent again, with the same ids.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import transaction

from compliance.siem.models import SiemCursor
from compliance.siem.tls import NotSent, Receiver
from compliance.trail.log.log_reader import log_size
from compliance.trail.log.whole_log import RecordsMissing, WholeRecord, read_whole_log

MOST_EVENTS: Final = 500
"""The events of a batch, at most."""

_LONGEST_ERROR: Final = 300


def begin_receiver(receiver: Receiver, *, at_end: bool) -> None:
    """Gives a receiver its cursor if it has none: at the log's beginning, or ``at_end``."""
    SiemCursor.objects.get_or_create(
        receiver=receiver.name, defaults={"seen": log_size() if at_end else 0}
    )


def send_next_events(receiver: Receiver, *, now: Callable[[], datetime]) -> int:
    """Sends the next batch; returns the number of its events.

    0 if there is none, or while another process sends to the receiver. Raises NotSent or
    RecordsMissing, which its cursor then states without having moved.
    """
    with transaction.atomic():
        cursor = _locked(receiver)
        if cursor is None:
            return 0
        failure: NotSent | RecordsMissing | None = None
        records: list[WholeRecord] = []
        try:
            records = read_whole_log(seen=cursor.seen, most=MOST_EVENTS)
            if not records:
                return 0
            receiver.send(records)
        except (NotSent, RecordsMissing) as error:
            failure = error
            cursor.error = _printable(str(error))
            cursor.failing_since = cursor.failing_since or now()
        else:
            cursor.seen = records[-1].leaf + 1
            cursor.sent_at, cursor.failing_since, cursor.error = now(), None, ""
        cursor.save()
    if failure is not None:
        raise failure
    return len(records)


def _locked(receiver: Receiver) -> SiemCursor | None:
    locked = SiemCursor.objects.select_for_update(skip_locked=True)
    return locked.filter(receiver=receiver.name).first()


def _printable(words: str) -> str:
    """Without what a receiver could hide in an error."""
    shown = (character if character.isprintable() else " " for character in words)
    return "".join(shown)[:_LONGEST_ERROR]
