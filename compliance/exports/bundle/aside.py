"""Writing in a thread: compressing and hashing go on while the database makes the next block."""

from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Final, Protocol

_MOST: Final = 8
"""So many blocks may wait; whoever makes them is as fast as whoever writes them in the end."""


class Digest(Protocol):
    """A running digest, as ``hashlib`` has them."""

    def update(self, data: bytes, /) -> None:
        """Takes in the next bytes."""
        ...


def write_aside(file: IO[bytes], blocks: Iterable[bytes], digest: Digest | None = None) -> int:
    """Writes the blocks in their order, all through the digest; gives how many bytes they are."""
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
        for one in waiting:
            one.result()
    return size
