"""A worker replaces its queue if RabbitMQ has lost the queue's leader.

A RabbitMQ that is killed within a second of declaring a quorum queue knows the queue after a
restart, but not its leader (3.10.8 keeps it in memory for that long). It accepts messages for such
a queue and delivers none; a consumer gets "internal error" after a minute, forever. The queue holds
only wake-ups, which the next sweep replaces, so the worker deletes the queue and declares it again.
"""

import logging
from typing import Any, Final

from amqp.exceptions import InternalError
from celery import Celery

from casino.workers.broker import is_rabbitmq

_log: Final = logging.getLogger(__name__)


def replace_lost_queue(app: Celery, error: Exception) -> None:
    """Deletes the worker's queue after the error by which RabbitMQ shows that it was lost.

    ``error`` ended a connection before the worker consumed. Other errors, and other brokers, are
    ignored.
    """
    if not is_rabbitmq(app.conf.broker_url):
        return
    if isinstance(error, (InternalError, TimeoutError)):
        _delete_queues(app)


def _delete_queues(app: Celery) -> None:
    _log.warning("RabbitMQ accepts no consumer for the queue: it is deleted and declared again")
    with app.connection_for_write() as connection:
        try:
            channel: Any = connection.channel()
            for queue in app.amqp.queues.consume_from.values():
                queue(channel).delete()
        except (*connection.connection_errors, *connection.channel_errors) as error:
            _log.warning("The queue cannot be deleted: %r", error)
