"""A database that is a demo's, for tests: made empty, with ``DEMO``."""

from typing import Any

from django.core.management import call_command
from django.db import transaction

from compliance.trail.models import SandboxStart
from tests.compliance.trail.sandbox_mark import mark_as_sandbox


def deal_demo(**options: Any) -> None:
    """``manage.py demo``, which refuses every other database."""
    if not SandboxStart.objects.exists():
        with transaction.atomic():
            mark_as_sandbox()
    call_command("demo", **options)
