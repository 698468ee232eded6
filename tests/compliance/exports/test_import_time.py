"""Web server and workers load neither the compiler of blackjack's analysis nor boto3."""

import os
import subprocess
import sys

import pytest

_LOADED = """
import sys
import django
django.setup()
import casino.urls
import casino.operations.doctor
import compliance.archive.tasks
import compliance.exports.tasks
import compliance.monitoring.queries
import compliance.monitoring.tasks
print(sorted({"numba", "llvmlite", "boto3", "botocore"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_pages_and_tasks_do_without_them() -> None:
    """They need 60 MB and 30 MB per process."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "casino.settings"}
    loaded = subprocess.run(
        [sys.executable, "-c", _LOADED], check=True, capture_output=True, text=True, env=environment
    )

    assert loaded.stdout.strip() == "[]"
