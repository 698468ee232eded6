"""Sets Django up for targets that need it; importing this module is enough."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()
