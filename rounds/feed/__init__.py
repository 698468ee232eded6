"""The round feed, version 1: documents in, facts out, and back.

This package is the only place that knows the feed's field names.
"""

from rounds.feed.digest import content_digest
from rounds.feed.reading import is_blank, parse_document, parse_line
from rounds.feed.refused import Refused
from rounds.feed.writing import document_of, document_of_shoe

__all__ = [
    "Refused",
    "content_digest",
    "document_of",
    "document_of_shoe",
    "is_blank",
    "parse_document",
    "parse_line",
]
