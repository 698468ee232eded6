"""The audit records of this application that open pages are told of."""

from collections.abc import Mapping
from typing import Final

ANNOUNCED: Final[Mapping[str, str]] = {
    "ROUND_HELD": "round",
    "ROUND_CONFLICTED": "exception",
    "DOCUMENT_QUARANTINED": "exception",
    "FEED_UPLOADED": "feed",
    "FEED_INGESTED": "feed",
    "TABLE_SUSPENDED": "table",
    "TABLE_RESUMED": "table",
}
"""The kind of the topic, by the kind of a record's subject or by its action."""
