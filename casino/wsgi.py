"""The web server's entry point."""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_wsgi_application()

# What is loaded now stays. Else the collector looks through all of it again and again, a tenth of a
# second each time, and one call in a hundred waits for that (`api.round_get` of the benchmarks).
import_module("casino.urls")
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 20, 50)
