"""The settings of a server for browsers: static files as they are, keys in the test's folder."""

import os
from pathlib import Path

from casino import settings

globals().update({name: value for name, value in vars(settings).items() if name.isupper()})

VAR_DIR = Path(os.environ["SABOT_TEST_FOLDER"])
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # as the tests have them
