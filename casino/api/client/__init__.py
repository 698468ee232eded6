"""A client of Sabot's REST API, for Python 3.11 on: ``docs/api.md``, *From Python*.

The folder is the package ``sabot-client``: it needs only requests, and nothing else of Sabot.
The shapes need the standard library alone, so that Sabot itself reads them without requests.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .problems import (
    Conflict,
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
from .shapes.about import FieldError
from .version import __version__

if TYPE_CHECKING:
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
    "__version__",
    "verified",
]


def __getattr__(name: str) -> object:
    """Imports the two names that need requests when they are first used."""
    modules = {"Sabot": ".sabot", "verified": ".webhooks"}
    if name not in modules:
        raise AttributeError(name)
    return getattr(import_module(modules[name], __name__), name)
