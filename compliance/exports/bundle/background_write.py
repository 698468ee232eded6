"""Writes in a thread: compression and hashing overlap with the database."""

from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Final, Protocol

_MOST: Final = 8
"""Maximum number of queued blocks."""


class Digest(Protocol):
    """A ``hashlib`` digest."""

    def update(self, data: bytes, /) -> None:
        """Adds bytes."""
        ...


def write_in_background(
    file: IO[bytes], blocks: Iterable[bytes], digest: Digest | None = None
) -> int:
    """Writes the blocks in order and updates the digest; returns the number of bytes."""
    size = 0
    waiting: deque[Future[None]] = deque()

    def write(block: bytes) -> None:
        if digest is not None:
            digest.update(block)
        file.write(block)

    with ThreadPoolExecutor(max_workers=1) as thread:
        for block in blocks:
            if len(waiting) == _MOST:
                waiting.popleft().result()
            waiting.append(thread.submit(write, block))
            size += len(block)
        for future in waiting:
            future.result()
    return size
