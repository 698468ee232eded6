"""``/livez`` and ``/readyz``: whether this process answers, and whether it can do its work.

Anybody may ask, so asking costs nothing: what a group of checks found is kept for seconds, one
thread at a time makes it again, and one request at most waits for that. A middleware answers,
before sessions, so that ``/livez`` needs no database, and a prober needs no host name.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import connection, connections
from django.http import HttpRequest, HttpResponseBase, JsonResponse

from casino.operations.checks.broker import broker_answers
from casino.operations.checks.check_result import Check, CheckResult, State, error, run_check
from casino.operations.checks.database import (
    database_answers,
    migrations_applied,
    rule_sets_signed,
    sandbox_matches,
    schema_matches,
)
from compliance.storage.sessions import is_pooled

LIVE: Final = "/livez"
READY: Final = "/readyz"
PATIENCE_SECONDS: Final = 5.0
"""How long the one request waits that began the checks."""

_CONNECT_SECONDS: Final = 3
_STATEMENT_MS: Final = 10_000
_SAFE: Final = ("GET", "HEAD")
_DRAINING: Final[Mapping[str, Any]] = {"status": "draining", "parts": []}


class _KeptResults(NamedTuple):
    """What a group of checks found, and when."""

    results: Mapping[str, CheckResult]
    at: float


class KeptChecks:
    """Checks whose results are kept for a while."""

    def __init__(
        self, checks: Mapping[str, Check], *, keep_seconds: float, patience: float
    ) -> None:
        self._checks, self._keep_seconds, self._patience = checks, keep_seconds, patience
        self._lock = Lock()
        self._found: _KeptResults | None = None
        self._running: Event | None = None

    def results(self) -> Mapping[str, CheckResult]:
        """What was found last, at most the time of keeping and twice that of patience ago."""
        is_over = self._begin()
        if is_over is not None:
            is_over.wait(self._patience)
        found = self._found
        oldest = monotonic() - self._keep_seconds - 2 * self._patience
        if found is None or found.at < oldest:
            return dict.fromkeys(self._checks, _no_answer(self._patience))
        return found.results

    def _begin(self) -> Event | None:
        """Begins the checks if it is time, and no other thread makes them; None if not."""
        with self._lock:
            is_fresh = self._found and self._found.at > monotonic() - self._keep_seconds
            if is_fresh or self._running is not None:
                return None
            self._running = Event()
            Thread(target=self._run, args=[self._running], daemon=True).start()
            return self._running

    def _run(self, is_over: Event) -> None:
        try:
            _limit_statements()
            results = {name: run_check(check) for name, check in self._checks.items()}
            self._found = _KeptResults(results, monotonic())
        finally:
            connections.close_all()  # this thread's
            self._running = None
            is_over.set()


def _limit_statements() -> None:
    """Bounds what the database may take for this thread's connection."""
    own = connection.settings_dict
    limited = {**own["OPTIONS"], "connect_timeout": _CONNECT_SECONDS}
    if not is_pooled():  # a pool's sessions are not this thread's
        limit = f"-c statement_timeout={_STATEMENT_MS}"
        limited["options"] = f"{limited.get('options', '')} {limit}"
    connection.settings_dict = {**own, "OPTIONS": limited}


def _no_answer(patience: float) -> CheckResult:
    return error(f"no answer within {patience:.0f} s", "an answer", "")


def parts(*, patience: float) -> tuple[KeptChecks, ...]:
    """The groups of checks of ``/readyz``. That of the schema takes a second of computing."""
    database = {
        "database": database_answers,
        "migrations": migrations_applied,
        "sandbox": sandbox_matches,
        "rule_sets": rule_sets_signed,
    }
    return (
        KeptChecks(database, keep_seconds=5, patience=patience),
        KeptChecks({"broker": broker_answers}, keep_seconds=5, patience=patience),
        KeptChecks({"schema": schema_matches}, keep_seconds=300, patience=patience),
    )


class ProbeMiddleware:
    """Answers the two addresses; the outermost middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._parts = parts(patience=PATIENCE_SECONDS)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer to a probe, or that of the site."""
        if request.path_info not in (LIVE, READY):
            return self._get_response(request)
        if request.method not in _SAFE:
            return _json({"status": "method not allowed"}, 405, {"Allow": ", ".join(_SAFE)})
        if request.path_info == LIVE:
            return _json({"status": "live"}, 200)
        return self._readiness(request)

    def _readiness(self, request: HttpRequest) -> JsonResponse:
        if _is_draining():
            return _json(_DRAINING, 503)
        left_out = set(request.GET.getlist("exclude"))
        found = {name: it for part in self._parts for name, it in part.results().items()}
        if _is_draining():  # since it was asked: the proxy need not ask again for that
            return _json(_DRAINING, 503)
        counted = {name: it for name, it in found.items() if name not in left_out}
        is_ready = all(result.state is not State.ERROR for result in counted.values())
        listed = [
            {"part": name, "state": it.state, "found": it.found, "needed": it.needed}
            for name, it in counted.items()
        ]
        status = "ready" if is_ready else "not ready"
        return _json({"status": status, "parts": listed}, 200 if is_ready else 503)


def _is_draining() -> bool:
    return bool(settings.DRAIN_FILE) and Path(settings.DRAIN_FILE).exists()


def _json(
    document: Mapping[str, Any], status: int, headers: Mapping[str, str] | None = None
) -> JsonResponse:
    answer = JsonResponse(
        document, status=status, headers={"Cache-Control": "no-store", **(headers or {})}
    )
    # Django would log each 503 as an error: whoever asks could fill the log.
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001  Django's own mark
    return answer
