"""The audit records of this application that open pages are told of."""

from collections.abc import Mapping
from typing import Final

ANNOUNCED: Final[Mapping[str, str]] = {
    "TABLE_IN_ALARM": "alarm",
}
"""The kind of the topic, by the kind of a record's subject or by its action."""
