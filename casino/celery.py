"""The Celery application. Workers find it as ``casino``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("sabot")
app.set_default()  # threads know no current application and would take one without our settings
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
