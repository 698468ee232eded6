"""TLS in front of a server that a test runs without: what a client verifies is the same."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Final

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_BLOCK: Final = 65536
_POSTGRES_REQUEST: Final = 8
"""Octets of PostgreSQL's SSLRequest, which is answered before TLS begins."""


@contextmanager
def tls_line(
    certificate: tuple[Path, Path],
    connect: Callable[[], Awaitable[Streams]],
    *,
    is_postgres: bool = False,
) -> Iterator[int]:
    """A port that leads to the server, with this certificate and its key."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = [writer]
        try:
            if is_postgres:
                await reader.readexactly(_POSTGRES_REQUEST)
                writer.write(b"S")
                await writer.start_tls(context)
            far_reader, far_writer = await connect()
            ends.append(far_writer)
            await asyncio.gather(_carry(reader, far_writer), _carry(far_reader, writer))
        except (OSError, EOFError):
            pass  # the client has refused what it was shown
        finally:
            await _close(*ends)

    loop = asyncio.new_event_loop()
    # PostgreSQL's clients begin in clear text.
    starting = asyncio.start_server(serve, "127.0.0.1", 0, ssl=None if is_postgres else context)
    server = loop.run_until_complete(starting)
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_end(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end(server: asyncio.Server) -> None:
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def _close(*ends: asyncio.StreamWriter) -> None:
    for end in ends:
        end.transport.abort()
        with suppress(OSError):
            await end.wait_closed()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while block := await reader.read(_BLOCK):
            writer.write(block)
            await writer.drain()
    writer.close()
