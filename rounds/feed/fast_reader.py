"""Bytes to facts by typed structs: exactly the facts of the careful reader, or None.

The careful reader (``parse_line_carefully``) decides on all other lines, and explains errors.
"""

from typing import Final

from msgspec import UNSET, MsgspecError
from msgspec.json import Decoder, Encoder

from rounds.feed.fields import DEALT, is_round_id, is_text
from rounds.feed.rounds import read_optional_parts
from rounds.feed.times import parse_time
from rounds.feed.typed_bets import read_typed_bets
from rounds.feed.typed_documents import RoundDocument, optional_fields
from rounds.rules.catalogue import Catalogue
from rounds.rules.facts import Round
from rounds.rules.rule_set import RuleSet

_decode: Final = Decoder(RoundDocument).decode
_encode: Final = Encoder().encode
_PARTS: Final = sorted(optional_fields(RoundDocument) - {"shoe"})


def read_fast(line: bytes, catalogue: Catalogue) -> Round | None:
    """The facts of a line; None if it is not a valid round, or one in unusual notation."""
    try:
        document = _decode(line)
        if not _is_complete(document, line):
            return None
        return _facts_of(document, catalogue[document.rules])
    except (KeyError, MsgspecError, RecursionError, ValueError):
        return None


def _is_complete(document: RoundDocument, line: bytes) -> bool:
    """Whether the document has everything that the line has.

    Of two fields with one name in one object msgspec keeps the last. The document then has fewer
    strings than the line, names of fields included.
    """
    strings = _count_strings(line)
    return strings is not None and strings == _count_strings(_encode(document))


def _count_strings(text: bytes) -> int | None:
    r"""The number of strings in valid JSON; None if it has ``\\`` somewhere.

    Without that, each ``\"`` is a quotation mark within a string.
    """
    marks = text.count(b'"')
    if b"\\" in text:
        if rb"\\" in text:
            return None
        marks -= text.count(rb"\"")
    return marks // 2


def _facts_of(document: RoundDocument, rules: RuleSet) -> Round | None:
    """The facts; None, KeyError or ValueError for an invalid round."""
    opened_at = parse_time(document.opened_at)
    closed_at = parse_time(document.closed_at)
    ended_at = parse_time(document.ended_at)
    shoe = None if document.shoe is UNSET else document.shoe
    if (
        not is_round_id(document.round)
        or not is_text(document.table)
        or not is_text(document.session)
        or not opened_at <= closed_at <= ended_at
        or (shoe is not None) is not rules.uses_shoe
        or (shoe is not None and not is_text(shoe.id))
    ):
        return None
    cards = tuple([DEALT[pair] for pair in document.cards])
    parts = {name: part for name in _PARTS if (part := getattr(document, name)) is not UNSET}
    dealt = Round(
        document.round,
        document.table,
        rules.name,
        None if shoe is None else shoe.id,
        None if shoe is None else shoe.drawn,
        opened_at,
        closed_at,
        ended_at,
        document.session,
        cards,
        read_typed_bets(document.bets, rules),
        *read_optional_parts(parts, rules, dealt=len(cards)),
    )
    return dealt if rules.find_document_fault(dealt) is None else None
