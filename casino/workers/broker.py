"""Celery's options for its broker: RabbitMQ, Valkey or Redis.

Tasks are wake-ups; the work is queued in the database. A wake-up may be lost, late or repeated. A
sender must not wait for an unreachable broker, old wake-ups must not pile up without a worker, and
workers must survive the loss of a broker node.

RabbitMQ's publisher confirms are off: the library would wait for them without a timeout, and the
next sweep replaces a lost wake-up.
"""

import ssl
from collections.abc import Mapping
from typing import Any, Final

from environ import Env

WAKE_UP_SECONDS: Final = 60.0
"""The lifetime of a wake-up; the next sweep comes long before its end."""

_CONNECT_SECONDS: Final = 3.0
_ANSWER_SECONDS: Final = 5.0
_SILENCE_SECONDS: Final = 10.0
_LONGEST_TASK_SECONDS: Final = 600


def configured_broker(env: Env) -> str:
    """The broker of CELERY_BROKER_URL, else the clone's own."""
    if "CELERY_BROKER_URL" in env.ENVIRON:
        return str(env.str("CELERY_BROKER_URL"))
    from casino import embedded  # noqa: PLC0415  only clones without CELERY_BROKER_URL need it

    return embedded.urls().broker_url


def is_rabbitmq(url: str) -> bool:
    """Whether the broker speaks AMQP, and so drops expired messages by itself."""
    return url.startswith(("amqp://", "amqps://", "pyamqp://"))


def transport_options(url: str) -> dict[str, Any]:
    """Celery's options for the connections to the broker."""
    if is_rabbitmq(url):
        # For synchronous calls: heartbeats are not checked while a worker waits for a reply.
        return {"connect_timeout": _CONNECT_SECONDS, "read_timeout": _SILENCE_SECONDS}
    if url.startswith(("redis", "sentinel")):
        return {
            "socket_connect_timeout": _CONNECT_SECONDS,
            "socket_timeout": _ANSWER_SECONDS,
            # When a task of a killed worker is given to another.
            "visibility_timeout": _LONGEST_TASK_SECONDS,
            "unacked_restore_interval": 30,
            "unacked_restore_throttle": 1,
        }
    return {}


def tls_options(url: str, *, authority: str) -> dict[str, Any] | None:
    """Celery's options for TLS: the server has to prove its name. None for a URL without TLS.

    ``authority`` is the file of the authority's certificate; empty means those that the system
    trusts. The library verifies no name unless it is told to. For a cluster it keeps the name of
    the node that it reached first: the certificate of each node has the names of all.
    """
    if url.startswith("amqps://"):
        named = {"ca_certs": authority} if authority else {}
        return {"cert_reqs": ssl.CERT_REQUIRED, "server_hostname": None, **named}
    if url.startswith("rediss://"):
        named = {"ssl_ca_certs": authority} if authority else {}
        return {"ssl_cert_reqs": ssl.CERT_REQUIRED, "ssl_check_hostname": True, **named}
    return None


def wake_up_route(url: str, *, queue: str) -> Mapping[str, Any]:
    """The route of a wake-up: its queue and expiration.

    RabbitMQ drops expired messages by its own clock. With Valkey the worker drops them, by the
    ``expires`` of the beat schedule.
    """
    if not is_rabbitmq(url):
        return {"queue": queue}
    return {"queue": queue, "expiration": WAKE_UP_SECONDS, "timeout": _ANSWER_SECONDS}
