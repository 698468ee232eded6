"""The consumer of Celery workers: their connection to the broker."""

from typing import Any, Final

from celery.worker.consumer import Consumer

from casino.workers.broker_reconnect import outlive_lost_brokers
from casino.workers.queue_recovery import replace_lost_queue

_DELAYED_DELIVERY: Final = "celery.worker.consumer.delayed_delivery:DelayedDelivery"
_SILENT: Final = {"without_gossip": True, "without_heartbeat": True, "without_mingle": True}


class QuietConsumer(Consumer):
    """Celery's consumer without events to other workers and without delayed delivery.

    RabbitMQ blocks a connection that publishes when it is out of memory, so the consuming
    connection must not publish gossip, mingle or heartbeat events (the transport's own heartbeats
    stay). Delayed delivery is not used; it would declare 28 more quorum queues.

    A process that is killed while the worker starts is replaced, instead of ending the worker
    ("Could not start worker processes"). The consumer survives the loss of a Valkey
    (``broker_reconnect``) and of its queue in RabbitMQ (``queue_recovery``).
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

    def __init__(self, *arguments: Any, **named: Any) -> None:
        outlive_lost_brokers()
        named["worker_options"] = {**(named.get("worker_options") or {}), **_SILENT}
        super().__init__(*arguments, **named)
        # Celery checks that all processes have started only at the first start, counted as -1.
        self.restart_count = 0

    def on_ready(self) -> None:
        """Notes that the worker consumes from the current connection."""
        self._listens = True
        super().on_ready()

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Replaces a lost queue; Celery reconnects afterwards."""
        super().on_connection_error_after_connected(exc)
        if not self._listens:
            replace_lost_queue(self.app, exc)
        self._listens = False
