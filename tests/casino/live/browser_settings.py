"""The settings of a server for browsers: static files as they are, keys in the test's folder."""

import os
from pathlib import Path

from casino.settings import *  # noqa: F403  all but what follows

VAR_DIR = Path(os.environ["SABOT_TEST_FOLDER"])
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
