"""Web server and exports do not load the compiler of the blackjack analysis."""

import os
import subprocess
import sys

import pytest

_LOADED = """
import sys
import django
django.setup()
import casino.urls
import compliance.exports.tasks
import compliance.monitoring.queries
import compliance.monitoring.tasks
print(sorted({"numba", "llvmlite"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_pages_and_exports_do_without_the_compiler() -> None:
    """It needs 60 MB per process."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "casino.settings"}
    loaded = subprocess.run(
        [sys.executable, "-c", _LOADED], check=True, capture_output=True, text=True, env=environment
    )

    assert loaded.stdout.strip() == "[]"
