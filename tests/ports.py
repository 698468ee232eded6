"""Ports of this machine for servers that a test starts itself."""

import random
import socket
from typing import Final

_BELOW_EPHEMERAL: Final = range(10_000, 32_768)
"""Ports that no system gives to a client: one of theirs is taken again before a server starts."""

_given: Final[set[int]] = set()


def free_port() -> int:
    """A port that is not in use, another one at each call."""
    while True:
        port = random.SystemRandom().choice(_BELOW_EPHEMERAL)  # a test's seed is in every worker
        if port in _given or not _is_free(port):
            continue
        _given.add(port)
        return port


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
