"""A worker whose queue RabbitMQ has lost puts a new one in its place.

A RabbitMQ that is killed within a second of making a quorum queue still knows the queue when it
runs again, but not who leads it (3.10.8 keeps the leaders' names in memory for that long). It takes
bells for such a queue and delivers none, and whoever wants to listen waits for a minute and is told
"internal error", for good. A queue holds bells alone, and the next sweep makes good what is lost
with it: so the worker deletes the queue, and makes it anew when it connects the next time.
"""

import logging
from typing import Any, Final

from amqp.exceptions import InternalError
from celery import Celery

from casino.broker import is_rabbitmq

_log: Final = logging.getLogger(__name__)


def replace_lost_queue(app: Celery, refusal: Exception) -> None:
    """Deletes the worker's queue if that is how RabbitMQ refuses to serve it.

    `refusal` is what ended a connection before the worker listened. Whatever else it is, and on
    another broker, nothing is done; a RabbitMQ that does not answer here either is asked again
    after the next refusal.
    """
    if not is_rabbitmq(app.conf.broker_url):
        return
    if isinstance(refusal, (InternalError, TimeoutError)):
        _delete_queues(app)


def _delete_queues(app: Celery) -> None:
    _log.warning("RabbitMQ lets nobody listen to the queue: it is deleted and made anew")
    with app.connection_for_write() as connection:
        try:
            channel: Any = connection.channel()
            for queue in app.amqp.queues.consume_from.values():
                queue(channel).delete()
        except (*connection.connection_errors, *connection.channel_errors) as error:
            _log.warning("The queue cannot be deleted: %r", error)
