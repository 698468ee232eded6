"""The queues of Celery: workers of a database role take tasks that this role can do.

Workers consume the queue of settlement by default, and another one by ``--queues``.
"""

from collections.abc import Mapping
from typing import Any, Final

from casino.workers.beat_schedule import WAKE_UPS
from casino.workers.broker import wake_up_route

FEED: Final = "feed"
EXPORTER: Final = "exporter"
WEB: Final = "web"

_ELSEWHERE: Final = {
    "casino.make_list_files": WEB,
    "payouts.ingest_uploads": FEED,
    "exports.build": EXPORTER,
    "exports.issue_certificates": EXPORTER,
    "exports.nightly": EXPORTER,
    "exports.sign_dossiers": EXPORTER,
}
"""The tasks of other database roles than the worker's."""


def queue_of(role: str, *, default: str) -> str:
    """The queue whose tasks workers of this database role do."""
    return f"{default}-{role}"


def task_routes(url: str, *, queue: str) -> dict[str, Mapping[str, Any]]:
    """The routes of tasks that do not simply go to the default queue, ``queue``."""
    wake_ups = {task: wake_up_route(url, queue=queue) for task in WAKE_UPS}
    elsewhere = {
        task: {**wake_ups.get(task, {}), "queue": queue_of(role, default=queue)}
        for task, role in _ELSEWHERE.items()
    }
    return {**wake_ups, **elsewhere}
