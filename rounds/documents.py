"""A feed as a stream of documents, in batches of bounded size."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from rounds import feed
from rounds.rules import facts

BATCH_DOCUMENTS: Final = 500
BATCH_BYTES: Final = 4 << 20


class Document(NamedTuple):
    """One line of a feed, byte for byte, and what it says or why it cannot be taken."""

    line: int
    content: bytes
    said: facts.Round | facts.ShoeOpening | feed.Refused


def read_documents(lines: Iterable[bytes], *, first: int = 1) -> Iterator[list[Document]]:
    """The documents of a feed; blank lines are counted and skipped (contract, detail 1).

    A batch ends after 500 documents or 4 MiB, so memory does not grow with the feed. ``first`` is
    the number of the first of these lines; no line is read before its batch is asked for.
    """
    batch: list[Document] = []
    size = 0
    for line, content in enumerate(lines, first):
        if feed.is_blank(content):
            continue
        batch.append(Document(line, content, _read(content)))
        size += len(content)
        if len(batch) >= BATCH_DOCUMENTS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read(content: bytes) -> facts.Round | facts.ShoeOpening | feed.Refused:
    try:
        return feed.parse_line(content)
    except feed.Refused as refusal:
        return refusal


def within_tables(documents: Iterable[Document], codes: Collection[str]) -> list[Document]:
    """The documents, those of other tables than these refused; without codes, as they are."""
    return [_within(document, codes) if codes else document for document in documents]


def _within(document: Document, codes: Collection[str]) -> Document:
    said = document.said
    if isinstance(said, feed.Refused) or said.table in codes:
        return document
    reference = said.round if isinstance(said, facts.Round) else None
    needed = f"a table of the key: {', '.join(sorted(codes))}"
    return document._replace(said=feed.Refused("table", f'"{said.table}"', needed, reference))
