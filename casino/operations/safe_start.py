"""Web processes, workers and beat refuse to start with settings that suit a demo only."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from celery.signals import beat_init, worker_init
from django.conf import settings

from casino.operations.checks import keys, safety
from casino.operations.checks.check_result import Check, State
from casino.operations.checks.clear_text import clear_text_connections
from casino.operations.refuse_to_start import refuse_to_start

_CHECKS: Final[Mapping[str, Check]] = {
    "HTTPS": safety.https_is_required,
    "SECRET_KEY": safety.secret_key_is_secret,
    "ALLOWED_HOSTS": safety.hosts_are_named,
    "DEBUG": safety.debug_is_off,
    "SOFTWARE_KEYS": safety.software_keys_are_off,
    "WEBHOOKS_TO_LOOPBACK": safety.webhooks_stay_outside,
}
"""By the variable that decides."""


def refuse_unsafe_settings(**_signal: Any) -> None:
    """Raises SystemExit outside of a demo, after naming each unsafe setting and what is needed."""
    refuse_to_start(chain(_unsafe_settings(), map(str, clear_text_connections())))


def listen() -> None:
    """Makes workers and beat of this process check the settings before they start."""
    worker_init.connect(refuse_unsafe_settings)
    beat_init.connect(refuse_unsafe_settings)


def _unsafe_settings() -> Iterator[str]:
    checks = dict(_CHECKS)
    if "any" in settings.SIGNING_KEY_ROOTS:  # none yet: no signature counts
        checks["SIGNING_KEY_ROOTS"] = keys.first_keys_are_named
    for name, check in checks.items():
        result = check()
        if result.state is State.ERROR:
            yield f"{name}: found {result.found}; needed {result.needed}; {result.todo}"
