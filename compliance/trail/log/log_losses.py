"""Lost records of the log: the database was restored to a state before the head signed last.

The key's holder remembers the head that was signed last, the witnessed one. A log that is behind it
has lost its tail: two persons can declare that, and the log is continued from the witnessed head
(``log_gaps``). A log that differs from it is another one, which nobody can declare.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, Self

from compliance.trail.log.merkle_tree import Peaks, consistency_path, contradict, is_consistent
from compliance.trail.log.signed_heads import Head, WitnessedHead, is_signed
from compliance.trail.log.stored_heads import last_signed_head
from compliance.trail.log.stored_tree import StoredTree
from compliance.trail.models import AuditRecord, LogKey
from compliance.trail.record import Entry, record_entries
from compliance.trail.row_digests import LOG

LOSS_FOUND: Final = "LOG_LOSS_FOUND"


class CannotAppend(Exception):
    """The log does not match its last head, or the key is not in force."""


class LogBehind(CannotAppend):
    """The log has lost records, and two persons have not declared that."""


class LogLoss(NamedTuple):
    """What a restored database has lost: the heads after ``stored``, up to ``witnessed``."""

    stored: WitnessedHead
    """The last head that the database has."""
    witnessed: WitnessedHead
    """The last head that was signed, with its peaks."""

    @property
    def subject(self) -> str:
        """The loss as the subject of audit records."""
        return f"log-loss:{self.stored.head.sequence}-{self.witnessed.head.sequence}"

    @property
    def heads(self) -> int:
        """The number of lost heads."""
        return self.witnessed.head.sequence - self.stored.head.sequence

    @property
    def records(self) -> int:
        """The number of lost records."""
        return self.witnessed.head.size - self.stored.head.size

    @property
    def details(self) -> dict[str, Any]:
        """The loss in audit records: both heads with their signatures, and what lies between."""
        heads = {"stored": self.stored.as_json(), "witnessed": self.witnessed.as_json()}
        return {**heads, "lost_heads": self.heads, "lost_records": self.records}

    @classmethod
    def from_details(cls, details: Mapping[str, Any]) -> Self | None:
        """From ``details``; None if they are not those of a loss."""
        try:
            heads = [json.dumps(details[name]) for name in ("stored", "witnessed")]
            return cls(*map(WitnessedHead.from_json, heads))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None


def loss_of(witnessed: WitnessedHead | None) -> LogLoss | None:
    """What the database has lost; None if its log continues the witnessed head.

    What other holders of the key have found counts as well. Raises CannotAppend for a log that
    differs from that of the witnessed head, or that cannot be continued from it.
    """
    last = last_signed_head()
    if last is None:
        if witnessed is not None:
            raise CannotAppend(f"{_behind(0, witnessed.head)}; this is another database")
        return None
    own = []
    if witnessed is not None and last.head.size < witnessed.head.size:
        own.append(LogLoss(last, witnessed))
        require_earlier(own[0])
    elif witnessed is not None:
        _require_continued(witnessed.head, last.head)
    losses = [*own, *_found_losses(last)]
    return max(losses, key=lambda loss: loss.witnessed.head.sequence, default=None)


def found_loss() -> LogLoss | None:
    """The loss that a holder of the key has found and nobody has declared; None without one."""
    last = last_signed_head()
    losses = [] if last is None else list(_found_losses(last))
    return max(losses, key=lambda loss: loss.witnessed.head.sequence, default=None)


def lost_size() -> int:
    """The number of signed records of a log that has lost some; 0 if none are lost."""
    loss = found_loss()
    return 0 if loss is None else loss.witnessed.head.size


def record_loss(loss: LogLoss, *, at: datetime) -> None:
    """Records what was found, once, in the current transaction."""
    known = AuditRecord.objects.filter(action=LOSS_FOUND, subject=loss.subject)
    if not any(record.details == loss.details for record in known):
        record_entries([Entry(LOSS_FOUND, loss.subject, loss.details)], at=at, actor=LOG)


def behind(loss: LogLoss) -> LogBehind:
    """The error that names the loss and what to do."""
    words = _behind(loss.stored.head.size, loss.witnessed.head)
    return LogBehind(f"{words}; two persons can declare the loss on the page Log keys")


def require_earlier(loss: LogLoss) -> None:
    """Raises CannotAppend unless the log can be an earlier state of that of the witnessed head.

    Both heads are signed by keys that were in force, and where both trees are complete they agree.
    """
    stored, witnessed = loss.stored.head, loss.witnessed.head
    peaks = Peaks.of(stored.size, StoredTree())
    if not 0 < stored.sequence < witnessed.sequence or not stored.size < witnessed.size:
        raise _another(witnessed)
    if not _is_signed(loss.stored) or peaks.root() != stored.root:
        raise _another(witnessed)
    if not _is_signed(loss.witnessed):
        raise CannotAppend(
            f"found head {witnessed.sequence} of key {witnessed.key_id}; needed the signature of"
            " the key that is in force here: put it in force again, or correct the head's file"
        )
    if not loss.witnessed.has_peaks:
        raise CannotAppend(
            f"{_behind(stored.size, witnessed)}; its file has no peaks that give its root, so that"
            " the log cannot be continued from it"
        )
    if contradict(peaks, Peaks(witnessed.size, loss.witnessed.peaks)):
        raise _another(witnessed)


def _found_losses(last: WitnessedHead) -> Iterator[LogLoss]:
    """Those of the records of losses that hold: anybody may write one."""
    for record in AuditRecord.objects.filter(action=LOSS_FOUND):
        loss = LogLoss.from_details(record.details)
        if loss is None or loss.stored != last:
            continue
        try:
            require_earlier(loss)
        except CannotAppend:
            continue
        yield loss


def _require_continued(witnessed: Head, last: Head) -> None:
    if not witnessed.size:
        return
    path = consistency_path(witnessed.size, last.size, StoredTree())
    if not is_consistent(witnessed.size, witnessed.root, last.size, last.root, path):
        raise _another(witnessed)


def _is_signed(signed: WitnessedHead) -> bool:
    head, signature, _peaks = signed
    key = LogKey.objects.filter(first_head__lte=head.sequence).order_by("-first_head").first()
    if key is None or key.key_id != head.key_id:
        return False
    return is_signed(bytes(key.public_key), signature, head.signed_bytes())


def _behind(size: int, witnessed: Head) -> str:
    return (
        f"found a log of {size} records; needed one that continues the {witnessed.size} of head"
        f" {witnessed.sequence}, which was signed before"
    )


def _another(witnessed: Head) -> CannotAppend:
    return CannotAppend(
        f"found a log that does not continue head {witnessed.sequence}, which was signed before"
    )
