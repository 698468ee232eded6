"""The Celery application. Workers find it as ``casino``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
# Django's checks load all pages, which a worker does not serve: 28 MB and half of its start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("sabot")
app.set_default()  # threads know no current application and would take one without our settings
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
