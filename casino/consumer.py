"""What a Celery worker does beside its tasks."""

from typing import Any, Final

from celery.worker.consumer import Consumer

from casino.lost_broker import outlive_lost_brokers
from casino.lost_queue import replace_lost_queue

_DELAYED_DELIVERY: Final = "celery.worker.consumer.delayed_delivery:DelayedDelivery"
_SILENT: Final = {"without_gossip": True, "without_heartbeat": True, "without_mingle": True}


class QuietConsumer(Consumer):
    """Celery's own, which takes tasks and says nothing.

    It tells no other worker that it is there: whoever publishes over the connection that brings the
    tasks is no longer served by a RabbitMQ that is out of memory. (What notices a dead connection
    are the transport's heartbeats, which stay.) And it makes no place for tasks for a later time,
    which nobody asks for here: for them it would declare 28 more quorum queues.

    It does not give up when one of its processes is killed while they start ("Could not start
    worker processes"): another takes its place, as it does at any later time.

    It outlives the loss of a Valkey (``casino.lost_broker``), and that of its queue in a RabbitMQ
    (``casino.lost_queue``).
    """

    Blueprint: type[Any] = type(
        "Blueprint",
        (Consumer.Blueprint,),
        {
            "default_steps": [
                step for step in Consumer.Blueprint.default_steps if step != _DELAYED_DELIVERY
            ]
        },
    )

    _listens = False

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401  Celery's signature
        outlive_lost_brokers()
        named["worker_options"] = {**(named.get("worker_options") or {}), **_SILENT}
        super().__init__(*arguments, **named)
        # Counted as if it had begun before: only at the first beginning Celery asks whether all
        # processes are there.
        self.restart_count = 0

    def on_ready(self) -> None:
        """The broker has taken the worker as a listener, over the connection that it has now."""
        self._listens = True
        super().on_ready()

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """That connection has ended. Celery connects again when this is done."""
        super().on_connection_error_after_connected(exc)
        if not self._listens:
            replace_lost_queue(self.app, exc)
        self._listens = False
