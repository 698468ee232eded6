"""Feed documents as text that is safe to show, whatever bytes they are."""

import json
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from rounds.feed.writing import document_of
from rounds.models import Round
from rounds.queries import stored_rounds

_MOST_CHARACTERS: Final = 100_000
_MOST_BETS: Final = 500


class DocumentLine(NamedTuple):
    """A line of a document, and whether the other document lacks it."""

    text: str
    differs: bool


def document_text(content: bytes | memoryview) -> str:
    """A document as text; bytes that are no UTF-8 stay visible, a long document is cut."""
    shown = bytes(content[:_MOST_CHARACTERS]).decode("utf-8", "backslashreplace")
    if len(content) <= _MOST_CHARACTERS:
        return shown
    return shown + "\n" + _("… cut here, the document is longer")


def compare_documents(
    stored: Round, content: bytes | memoryview
) -> tuple[list[DocumentLine], list[DocumentLine]]:
    """The stored round and the document that claims its id, line by line, fields in one order.

    A round of more than 500 bets is too long to be read this way; its own page shows it.
    """
    came = _in_order(document_text(content))
    if stored.bet_count > _MOST_BETS:
        return [], [DocumentLine(line, differs=False) for line in came]
    [facts] = stored_rounds([stored.id])
    stands = _in_order(json.dumps(document_of(facts.dealt), ensure_ascii=False))
    return _marked(stands, came), _marked(came, stands)


def _in_order(text: str) -> list[str]:
    """JSON with sorted fields, a field a line; other text as it is."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return text.splitlines()
    fields = read.items() if isinstance(read, dict) else [("", read)]
    lines = []
    for name, value in sorted(fields):
        many = (
            value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]
        )
        lines += [f"{name}: {json.dumps(one, ensure_ascii=False, sort_keys=True)}" for one in many]
    return lines


def _marked(lines: list[str], others: list[str]) -> list[DocumentLine]:
    known = frozenset(others)
    return [DocumentLine(line, line not in known) for line in lines]
