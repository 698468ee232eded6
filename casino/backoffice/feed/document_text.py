"""Feed documents, of any bytes, as text that is safe to display."""

import json
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from rounds.feed.strict_json import json_fault
from rounds.feed.writing import document_of
from rounds.models import Round
from rounds.queries import stored_rounds

_MOST_CHARACTERS: Final = 100_000
_MOST_BETS: Final = 500


class DocumentLine(NamedTuple):
    """A line of a document, and whether it is missing in the other document."""

    text: str
    differs: bool


def document_text(content: bytes | memoryview) -> str:
    """A document as text; invalid UTF-8 is escaped, long documents are truncated."""
    text = bytes(content[:_MOST_CHARACTERS]).decode("utf-8", "backslashreplace")
    if len(content) <= _MOST_CHARACTERS:
        return text
    return text + "\n" + _("… truncated; the document is longer")


def compare_documents(
    stored: Round, content: bytes | memoryview
) -> tuple[list[DocumentLine], list[DocumentLine]]:
    """The stored round and the conflicting document, line by line, with sorted fields.

    The stored lines are empty for a round of more than 500 bets.
    """
    lines = _in_order(document_text(content))
    if stored.bet_count > _MOST_BETS:
        return [], [DocumentLine(line, differs=False) for line in lines]
    [facts] = stored_rounds([stored.id])
    stored_lines = _in_order(json.dumps(document_of(facts.dealt), ensure_ascii=False))
    return _marked(stored_lines, lines), _marked(lines, stored_lines)


def _in_order(text: str) -> list[str]:
    """JSON with sorted fields, one per line; other text unchanged."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return text.splitlines()
    if json_fault(read):
        return text.splitlines()
    fields = read.items() if isinstance(read, dict) else [("", read)]
    lines = []
    for name, value in sorted(fields):
        many = (
            value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]
        )
        lines += [
            f"{name}: {json.dumps(item, ensure_ascii=False, sort_keys=True)}" for item in many
        ]
    return lines


def _marked(lines: list[str], others: list[str]) -> list[DocumentLine]:
    other_lines = frozenset(others)
    return [DocumentLine(line, line not in other_lines) for line in lines]
