"""The canonical encoding of an audit record, from which its leaf is hashed.

A record is the UTF-8 JSON array ``[at, actor, actor_user_id, action, subject, details]`` without
white space, keys of ``details`` sorted, characters beyond ASCII written as they are, ``at`` as
microseconds since 1970 in UTC. Its leaf is SHA-256 over a zero byte and these bytes, the leaf hash
of RFC 9162, section 2.1.1.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from compliance.trail.actor import Actor

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
LEAF_PREFIX: Final = b"\x00"


def leaf_of(
    *, at: datetime, actor: Actor, action: str, subject: str, details: Mapping[str, Any]
) -> bytes:
    """The 32 bytes of the leaf hash of a record."""
    [leaf] = leaves_of([(action, subject, json_of(details))], at=at, actor=actor)
    return leaf


def leaves_of(
    records: Iterable[tuple[str, str, str]], *, at: datetime, actor: Actor
) -> Iterator[bytes]:
    """The leaf hashes of records of one time and actor: action, subject, details as JSON."""
    time_and_actor = _who(at, actor)
    for record in records:
        yield hashlib.sha256(LEAF_PREFIX + _text(time_and_actor, *record).encode()).digest()


def record_text(
    *, at: datetime, actor: Actor, action: str, subject: str, details: Mapping[str, Any]
) -> str:
    """The canonical encoding of a record; the leaf hashes a zero byte and this text."""
    return _text(_who(at, actor), action, subject, json_of(details))


def _who(at: datetime, actor: Actor) -> str:
    return f"[{microseconds_of(at)},{json_of(actor.name)},{json_of(actor.user_id)},"


def _text(time_and_actor: str, action: str, subject: str, details: str) -> str:
    return f"{time_and_actor}{json_of(action)},{json_of(subject)},{details}]"


def microseconds_of(at: datetime) -> int:
    """Microseconds since 1970, UTC."""
    return (at - _EPOCH) // _MICROSECOND


def datetime_of(microseconds: int) -> datetime:
    """The time so many microseconds after 1970, UTC."""
    return _EPOCH + microseconds * _MICROSECOND


def json_of(value: object) -> str:
    """A value in the canonical encoding."""
    return _encode(value)


_encode: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
