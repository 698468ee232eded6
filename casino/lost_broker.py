"""A worker that loses its Valkey or Redis waits for it to come back, whatever it had in hand.

What a worker has in hand belongs to a channel of its connection. When such a task ends after the
connection was lost, or when kombu 5.7 closes the lost channel for the second time, it wants to tell
the broker over a transport that is put away already: an AttributeError, of which the worker dies
("Unrecoverable error"). Here the channel says that its connection is lost, which everybody who asks
it is prepared for. Nothing needs to be told: the broker keeps the message and gives it to a worker
again after the visibility timeout, and until then the sweep does what it asked for.
"""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as ConnectionLost


class LosableChannel(redis.Channel):
    """A channel that knows when its connection is gone."""

    def _connparams(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401  kombu's signature
        """How to connect; ConnectionLost once the channel or its transport is put away."""
        transport: Any = self.connection
        if transport is None or transport.client is None:
            raise ConnectionLost("the connection that this was to go over was lost")
        return super()._connparams(*arguments, **named)  # type: ignore[misc]  # in no stub


def outlive_lost_brokers() -> None:
    """From now on this process survives the loss of a Valkey or Redis."""
    redis.Transport.Channel = LosableChannel
