"""The web server's entry point."""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("STATEMENT_SECONDS", "30")

application = get_wsgi_application()
import_module("casino.operations.safe_start").refuse_unsafe_settings()

import_module("casino.operations.integrity_at_start").verify_web_process()

# What is loaded now stays. Without the freeze each collection scans all of it for a tenth of a
# second, which delays one call in a hundred (`api.round_get` of the benchmarks).
import_module("casino.urls")
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 20, 50)
