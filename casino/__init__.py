"""Composition only: settings, addresses, the Celery application, the embedded services."""

from casino.celery import app as celery_app
from casino.collector import look_for_cycles_seldom

__all__ = ["celery_app"]

look_for_cycles_seldom()  # every process of ours imports this package
