"""A line or a document of the feed read into facts, or refused."""

import json
from typing import Any, Final, NoReturn

from rounds.feed.fields import Document, read_round_id
from rounds.feed.refused import Refused, describe
from rounds.feed.rounds import read_round
from rounds.feed.shoes import read_shoe
from rounds.rules.catalogue import RULE_SETS, Catalogue
from rounds.rules.facts import Round, ShoeOpening

_JSON_SPACE: Final = b" \t\r\n"


def is_blank(line: bytes) -> bool:
    """Whether a line of a feed holds nothing but what JSON skips (contract, detail 1)."""
    return not line.strip(_JSON_SPACE)


def parse_line(line: str | bytes, catalogue: Catalogue = RULE_SETS) -> Round | ShoeOpening:
    """The facts of one line of a feed; Refused for anything that is no sound document.

    ``catalogue`` holds the rule sets that rounds may name.
    """
    try:
        text = line.decode() if isinstance(line, bytes) else line
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except Refused:
        raise
    except RecursionError:
        raise Refused("document", "JSON nested too deeply", "an object of the feed") from None
    except UnicodeDecodeError as error:
        raise Refused("document", f"no UTF-8 at byte {error.start}", "JSON in UTF-8") from None
    except ValueError as error:
        raise Refused("document", f"broken JSON: {error}", "one JSON object") from None
    return parse_document(document, catalogue)


def parse_document(document: object, catalogue: Catalogue = RULE_SETS) -> Round | ShoeOpening:
    """The facts of a document as JSON decodes it; Refused for one that is not sound."""
    try:
        return _read(document, catalogue)
    except Refused as refusal:
        refusal.round = _sound_round_id(document)
        raise


def _read(document: object, catalogue: Catalogue) -> Round | ShoeOpening:
    if type(document) is not dict:
        raise Refused("document", describe(document), "an object")
    if document.get("feed") == "round/1":
        return read_round(document, catalogue)
    if document.get("feed") == "shoe/1":
        return read_shoe(document)
    found = describe(document["feed"]) if "feed" in document else "nothing"
    raise Refused("feed", found, "'round/1' or 'shoe/1'")


def _sound_round_id(document: object) -> str | None:
    """The document's round id, None where it has none or is a shoe (detail 1)."""
    try:
        if type(document) is not dict or document.get("feed") == "shoe/1":
            return None
        return read_round_id(document)
    except (KeyError, Refused):
        return None


def _unique(pairs: list[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise Refused("document", f"the key {describe(repeated)} twice in one object", "it once")
    return document


def _refuse_constant(name: str) -> NoReturn:
    raise Refused("document", name, "JSON, which has no such number")
