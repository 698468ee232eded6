"""A feed as a stream of documents, in batches of bounded size."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from rounds import feed
from rounds.rules import facts

BATCH_DOCUMENTS: Final = 500
BATCH_BYTES: Final = 4 << 20


class Document(NamedTuple):
    """One line of a feed, byte for byte, and its facts or the error in it."""

    line: int
    content: bytes
    parsed: facts.Round | facts.ShoeOpening | feed.FeedError


def read_documents(lines: Iterable[bytes], *, first: int = 1) -> Iterator[list[Document]]:
    """The documents of a feed; blank lines are counted and skipped (contract, detail 1).

    A batch ends after 500 documents or 4 MiB. ``first`` is the number of the first line. Lines are
    read lazily, batch by batch.
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


def _read(content: bytes) -> facts.Round | facts.ShoeOpening | feed.FeedError:
    try:
        return feed.parse_line(content)
    except feed.FeedError as error:
        return error


def restrict_to_tables(documents: Iterable[Document], codes: Collection[str]) -> list[Document]:
    """The documents, with an error in those of other tables; unchanged without codes."""
    return [_within(document, codes) if codes else document for document in documents]


def _within(document: Document, codes: Collection[str]) -> Document:
    parsed = document.parsed
    if isinstance(parsed, feed.FeedError) or parsed.table in codes:
        return document
    reference = parsed.round if isinstance(parsed, facts.Round) else None
    needed = f"a table of the key: {', '.join(sorted(codes))}"
    return document._replace(parsed=feed.FeedError("table", f'"{parsed.table}"', needed, reference))
