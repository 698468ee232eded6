"""Timelines: the colour and icon of each entry."""

from collections.abc import Mapping
from typing import Final

_OTHER: Final = ""
_DOTS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "round": {
        "ROUND_RECEIVED": ("slate", "inbox"),
        "ROUND_SETTLED": ("green", "coins"),
        "ROUND_RESETTLED": ("green", "coins"),
        "ROUND_RULED": ("slate", "coins"),
        "ROUND_HELD": ("amber", "pause"),
        "ROUND_CONFLICTED": ("red", "cross"),
        "ROUND_DISPUTED": ("slate", "scales"),
        "ROUND_IN_CASE": ("slate", "inbox"),
        "ROUND_RETRIED": ("slate", "return"),
        "ROUND_VOIDED": ("slate", "return"),
        "WORK_ASSIGNED": ("slate", "person"),
        "ROUND_VIDEO_ADDED": ("slate", "plus"),
        "REPLAY_LINK_MADE": ("slate", "up"),
        "VERIFICATION_FILE_MADE": ("slate", "check"),
        "REPLAY_LINK_REVOKED": ("slate", "cross"),
        "COMMENT_WRITTEN": ("slate", "pencil"),
        "COMMENT_WITHDRAWN": ("slate", "pencil"),
        "WORK_RESOLVED": ("slate", "check"),
        _OTHER: ("slate", "cross"),
    },
    "case": {
        "opened": ("slate", "inbox"),
        "referred": ("amber", "clock"),
        "allowed": ("green", "check"),
        "refused": ("red", "cross"),
        "approved": ("green", "check"),
        "rejected": ("red", "cross"),
        "withdrawn": ("slate", "return"),
        _OTHER: ("slate", "check"),
    },
    "dispute": {
        "opened": ("slate", "inbox"),
        "taken": ("slate", "person"),
        "asked": ("amber", "clock"),
        "reminded": ("amber", "clock"),
        "upheld": ("green", "check"),
        "partly_upheld": ("green", "check"),
        "rejected": ("red", "cross"),
        "remedy_failed": ("red", "cross"),
        "closed": ("green", "check"),
        "escalated": ("amber", "clock"),
        "overturned": ("slate", "return"),
        "reopened": ("slate", "return"),
        _OTHER: ("slate", "check"),
    },
    "bundle": {
        "built": ("slate", "inbox"),
        "signed": ("slate", "key"),
        "sent": ("amber", "up"),
        "received": ("green", "check"),
        "refused": ("red", "cross"),
        "set_aside": ("slate", "return"),
        _OTHER: ("slate", "check"),
    },
    "stuck": {
        "assigned": ("blue", "person"),
        "retried": ("slate", "return"),
        "taken": ("green", "check"),
        "resolved": ("green", "check"),
        _OTHER: ("slate", "check"),
    },
    "comments": {_OTHER: ("slate", "pencil")},
    "table": {
        "TABLE_REGISTERED": ("slate", "plus"),
        "TABLE_CHANGED": ("blue", "pencil"),
        "TABLE_SUSPENDED": ("amber", "pause"),
        "TABLE_RESUMED": ("green", "play"),
        "LIMITS_DECIDED": ("blue", "coins"),
        _OTHER: ("slate", "pencil"),
    },
}


def dot_of(history: str, action: str) -> tuple[str, str]:
    """The colour and icon of an entry; ``history`` is a key of the table above."""
    dots = _DOTS[history]
    return dots.get(action, dots[_OTHER])
