"""The audit actions that this package records, with their labels."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "TABLE_IN_ALARM": gettext_lazy("Table in alarm"),
    "TABLES_WATCHED": gettext_lazy("Tables evaluated by the monitor"),
}

ANNOUNCED: Final[Mapping[str, str]] = {
    "TABLE_IN_ALARM": "alarm",
}
"""Records that open pages learn of: the kind of topic by the kind of subject or the action."""
