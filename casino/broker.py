"""How Celery uses its broker: RabbitMQ, Valkey or Redis.

Tasks are bells, the work waits in the database: a bell may be lost, late or doubled. What must not
be is that somebody who rings waits for a broker that is away, that bells of days pile up where no
worker listens, and that no worker listens any more because one node of the broker is down.

So RabbitMQ is not asked to confirm what it takes: a library that waits for a confirmation waits
without end, and what is lost unheard the next sweep makes good.
"""

from collections.abc import Mapping
from typing import Any, Final

BELL_SECONDS: Final = 60.0
"""How long a bell is worth something. The next sweep comes long before."""

_CONNECT_SECONDS: Final = 3.0
_ANSWER_SECONDS: Final = 5.0
_SILENCE_SECONDS: Final = 10.0
_LONGEST_TASK_SECONDS: Final = 600


def is_rabbitmq(url: str) -> bool:
    """Whether the broker speaks AMQP, and so forgets by itself what has waited for too long."""
    return url.startswith(("amqp://", "amqps://", "pyamqp://"))


def transport_options(url: str) -> dict[str, Any]:
    """Celery's options for the connections to the broker."""
    if is_rabbitmq(url):
        # Of one that is asked: a worker's heartbeats do not watch while it waits for an answer.
        return {"connect_timeout": _CONNECT_SECONDS, "read_timeout": _SILENCE_SECONDS}
    if url.startswith(("redis", "sentinel")):
        return {
            "socket_connect_timeout": _CONNECT_SECONDS,
            "socket_timeout": _ANSWER_SECONDS,
            # How soon a task of a killed worker is given to another.
            "visibility_timeout": _LONGEST_TASK_SECONDS,
            "unacked_restore_interval": 30,
            "unacked_restore_throttle": 1,
        }
    return {}


def bell_route(url: str, *, queue: str) -> Mapping[str, Any]:
    """The route of a task that says "look": its queue, and for how long it is kept there.

    RabbitMQ counts a bell's time by its own clock and drops it. Valkey keeps it, and a worker drops
    it by comparing the clocks of two hosts (``expires`` of the beat's schedule).
    """
    if not is_rabbitmq(url):
        return {"queue": queue}
    return {"queue": queue, "expiration": BELL_SECONDS, "timeout": _ANSWER_SECONDS}
