"""A client of Sabot's REST API, for Python 3.11 on: ``docs/api.md``, *From Python*.

It rests on requests alone and imports nothing else of Sabot's: the folder may be copied.
"""

from .problems import (
    Conflict,
    FieldError,
    NoAnswer,
    NotAllowed,
    NotFound,
    NotFromSabot,
    Refused,
    SabotError,
    SabotFailed,
    SabotProblem,
    TooManyCalls,
    Unreadable,
)
from .sabot import Sabot
from .webhooks import verified

__all__ = [
    "Conflict",
    "FieldError",
    "NoAnswer",
    "NotAllowed",
    "NotFound",
    "NotFromSabot",
    "Refused",
    "Sabot",
    "SabotError",
    "SabotFailed",
    "SabotProblem",
    "TooManyCalls",
    "Unreadable",
    "verified",
]
