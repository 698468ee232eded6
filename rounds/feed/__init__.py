"""The round feed, version 1: documents in, facts out, and back.

This package is the only place that knows the feed's field names.
"""

from rounds.feed.digest import content_digest
from rounds.feed.exceptions import FeedError
from rounds.feed.parse_document import is_blank, parse_document, parse_line
from rounds.feed.schema import DOCUMENT, document_schemas, feed_schema
from rounds.feed.strict_json import json_fault
from rounds.feed.writing import document_of, document_of_shoe

__all__ = [
    "DOCUMENT",
    "FeedError",
    "content_digest",
    "document_of",
    "document_of_shoe",
    "document_schemas",
    "feed_schema",
    "is_blank",
    "json_fault",
    "parse_document",
    "parse_line",
]
