"""The output of ``manage.py certify``, for tests."""

import io

from django.core.management import call_command


def certify_output(*arguments: str) -> str:
    """The output of the command."""
    out = io.StringIO()
    call_command("certify", *arguments, stdout=out)
    return out.getvalue()
