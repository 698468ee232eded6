"""A worker that loses its Valkey or Redis reconnects, even while tasks run.

A running task belongs to a channel of the connection. If it ends after the connection was lost, or
if kombu 5.7 closes the lost channel twice, kombu acknowledges it over a transport that is gone:
an AttributeError that ends the worker ("Unrecoverable error"). This channel raises ConnectionError
instead, which all callers handle. The broker redelivers the message after the visibility timeout.
"""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as ConnectionLost


class LosableChannel(redis.Channel):
    """A channel that raises ConnectionError once its connection is lost."""

    def _connparams(self, *arguments: Any, **named: Any) -> Any:
        """The connection parameters. Raises ConnectionLost once the transport is closed."""
        transport: Any = self.connection
        if transport is None or transport.client is None:
            raise ConnectionLost("the connection of this channel was lost")
        return super()._connparams(*arguments, **named)  # type: ignore[misc]  # in no stub


def outlive_lost_brokers() -> None:
    """Makes this process use channels that survive the loss of a Valkey or Redis."""
    redis.Transport.Channel = LosableChannel
