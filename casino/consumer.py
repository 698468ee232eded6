"""What a Celery worker does beside its tasks."""

from typing import Any, Final

from celery.worker.consumer import Consumer

from casino.lost_broker import outlive_lost_brokers

_DELAYED_DELIVERY: Final = "celery.worker.consumer.delayed_delivery:DelayedDelivery"
_SILENT: Final = {"without_gossip": True, "without_heartbeat": True, "without_mingle": True}


class QuietConsumer(Consumer):
    """Celery's own, which takes tasks and says nothing.

    It tells no other worker that it is there: whoever publishes over the connection that brings the
    tasks is no longer served by a RabbitMQ that is out of memory. (What notices a dead connection
    are the transport's heartbeats, which stay.) And it makes no place for tasks for a later time,
    which nobody asks for here: for them it would declare 28 more quorum queues.

    It outlives the loss of a Valkey (``casino.lost_broker``).
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

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401  Celery's signature
        outlive_lost_brokers()
        named["worker_options"] = {**(named.get("worker_options") or {}), **_SILENT}
        super().__init__(*arguments, **named)
