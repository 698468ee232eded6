"""The Celery application. Workers find it as ``casino``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("sabot")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
