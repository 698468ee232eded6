"""The site: settings, URLs, the Celery application, back office, API and their processes."""

from casino.celery import app as celery_app
from casino.workers.garbage_collection import raise_gc_thresholds

__all__ = ["celery_app"]

raise_gc_thresholds()  # every process of ours imports this package
