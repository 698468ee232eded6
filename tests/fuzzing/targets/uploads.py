"""Feeds as files and streams: gzip of any shape, lines of any length."""

import gzip
import zlib

import tests.fuzzing.django_setup  # noqa: F401  before models are imported
from casino.api.rounds.bodies import split_lines
from rounds.documents import read_documents
from rounds.feed import FeedError
from rounds.uploads.upload_feed import FeedUnreadable, _chunks, _unpacked
from tests.fuzzing.target import Target, golden_lines

_MOST = 8 << 20


def check(data: bytes) -> None:
    """What gzip reads is read, in whatever pieces it comes; what it does not is refused."""
    size = data[0] % 61 + 1 if data else 1
    pieces = [data[n : n + size] for n in range(0, len(data), size)]
    try:
        content = b"".join(_chunks(_unpacked(pieces)))
    except FeedUnreadable:
        content = None
    assert content == _expected(data)
    lines = list(split_lines(pieces))
    assert b"".join(lines) == data
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines[:-1])
    for batch in read_documents(lines):
        for document in batch:
            assert isinstance(document.parsed, FeedError | tuple)


def _expected(data: bytes) -> bytes | None:
    """The content by another reader of gzip; None if it is incomplete or no gzip."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    content = b""
    while data:
        unpacker = zlib.decompressobj(31)
        try:
            content += unpacker.decompress(data)
        except zlib.error:
            return None
        if not unpacker.eof:
            return None
        data = unpacker.unused_data
    return content


def seeds() -> list[bytes]:
    """Plain, compressed, in two members, cut, and far larger than it looks."""
    lines = list(golden_lines("zappit"))[:3]
    feed = b"\n".join(lines)
    packed = gzip.compress(feed, mtime=0)
    return [
        *(feed, packed, packed + gzip.compress(b"\n{}", mtime=0), packed[:-3], packed + b"junk"),
        gzip.compress(bytes(3 << 20), mtime=0),
        gzip.compress(b"", mtime=0),
    ]


TARGET = Target(check, seeds, longest=4096)
