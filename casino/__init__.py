"""Composition only: settings, addresses, the Celery application, the embedded services."""

from casino.celery import app as celery_app

__all__ = ["celery_app"]
