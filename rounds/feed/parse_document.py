"""Parsing of lines and documents of the feed into facts."""

import json
from typing import Any, Final, NoReturn

from rounds.feed.exceptions import FeedError, shorten
from rounds.feed.fast_reader import read_fast
from rounds.feed.fields import Document, read_round_id
from rounds.feed.rounds import read_round
from rounds.feed.shoes import read_shoe
from rounds.feed.strict_json import TOO_DEEP, json_fault
from rounds.rules.catalogue import RULE_SETS, Catalogue
from rounds.rules.facts import Round, ShoeOpening

_JSON_SPACE: Final = b" \t\r\n"
_ESCAPE: Final = "\\u"
"""Valid UTF-8 can hold a lone surrogate only as an escape."""


def is_blank(line: bytes) -> bool:
    """Whether a line holds only JSON white space (contract, detail 1)."""
    return not line.strip(_JSON_SPACE)


def parse_line(line: str | bytes, catalogue: Catalogue = RULE_SETS) -> Round | ShoeOpening:
    """The facts of one line of a feed. Raises FeedError for an invalid document.

    ``catalogue`` holds the rule sets that rounds may name.
    """
    dealt = read_fast(line, catalogue) if isinstance(line, bytes) else None
    return parse_line_carefully(line, catalogue) if dealt is None else dealt


def parse_line_carefully(line: str | bytes, catalogue: Catalogue) -> Round | ShoeOpening:
    """``parse_line`` without its fast path, for every line and with every error."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except FeedError:
        raise
    except RecursionError:
        raise FeedError("document", *TOO_DEEP) from None
    except UnicodeDecodeError as error:
        raise FeedError("document", f"no UTF-8 at byte {error.start}", "JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        found = f"broken JSON at line {error.lineno}, column {error.colno}"
        raise FeedError("document", found, "one JSON object") from None
    except ValueError:  # more digits than Python converts
        raise FeedError(
            "document", "an integer of great length", "numbers of fewer digits"
        ) from None
    if _ESCAPE in text and (fault := json_fault(document)):
        raise FeedError("document", *fault)
    return parse_document(document, catalogue)


def parse_document(document: object, catalogue: Catalogue = RULE_SETS) -> Round | ShoeOpening:
    """The facts of a decoded JSON document. Raises FeedError for an invalid one."""
    try:
        return _read(document, catalogue)
    except RecursionError:
        raise FeedError("document", *TOO_DEEP) from None
    except FeedError as error:
        error.round = _valid_round_id(document)
        raise


def _read(document: object, catalogue: Catalogue) -> Round | ShoeOpening:
    if type(document) is not dict:
        raise FeedError("document", shorten(document), "an object")
    if document.get("feed") == "round/1":
        return read_round(document, catalogue)
    if document.get("feed") == "shoe/1":
        return read_shoe(document)
    found = shorten(document["feed"]) if "feed" in document else "nothing"
    raise FeedError("feed", found, "'round/1' or 'shoe/1'")


def _valid_round_id(document: object) -> str | None:
    """The document's round id; None if it has no valid one or is a shoe (detail 1)."""
    try:
        if type(document) is not dict or document.get("feed") == "shoe/1":
            return None
        return read_round_id(document)
    except (KeyError, FeedError):
        return None


def _unique(pairs: list[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) < len(pairs):
        names = [name for name, _value in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise FeedError("document", f"the key {shorten(repeated)} twice in one object", "it once")
    return document


def _refuse_constant(name: str) -> NoReturn:
    raise FeedError("document", name, "JSON, which has no such number")
