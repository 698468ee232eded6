"""The two ways by which rounds reach Sabot: the API of a web host, the command of a feed host."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from django.utils import timezone

from benchmarks.workspace import BENCHMARK
from casino.embedded.server_paths import CLONE
from casino.integrations.issue_key import NewKey, issue_key
from casino.integrations.scopes import Scope
from rounds.uploads.document_answers import ACCEPTED, KNOWN

_CALLS_A_MINUTE: Final = 100_000
_ANSWER_SECONDS: Final = 60


def studio_token() -> str:
    """The token of a studio's key for the API."""
    key = NewKey(
        kind="studio",
        owner="drill",
        scopes=[Scope.ROUNDS_READ, Scope.ROUNDS_WRITE],
        calls_per_minute=_CALLS_A_MINUTE,
    )
    return issue_key(new=key, at=timezone.now(), actor=BENCHMARK).token


class ByApi:
    """Delivers to `POST /api/v1/rounds`."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token

    def __call__(self, lines: bytes) -> bool:
        """Whether each line was answered as stored, now or before."""
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/x-ndjson",
        }
        connection = HTTPConnection("127.0.0.1", self._port, timeout=_ANSWER_SECONDS)
        try:
            connection.request("POST", "/api/v1/rounds", lines, headers)
            answer = connection.getresponse()
            body = answer.read()
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
        return answer.status == HTTPStatus.OK and _all_stored(body, count=lines.count(b"\n"))


class ByCommand:
    """Delivers by `manage.py ingest`, as the role of a feed host."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._piece, self._log = folder / "piece.ndjson", folder / "ingest.log"
        self._environment = {**os.environ, **environment}

    def __call__(self, lines: bytes) -> bool:
        """Whether the command says that it has stored them."""
        self._piece.write_bytes(lines)
        command = [sys.executable, "manage.py", "ingest", str(self._piece), "--source", "drill"]
        with self._log.open("ab") as log:
            done = subprocess.run(
                command, cwd=CLONE, env=self._environment, stdout=log, stderr=log, check=False
            )
        return done.returncode == 0


def _all_stored(body: bytes, *, count: int) -> bool:
    verdicts = [json.loads(line)["verdict"] for line in body.splitlines()]
    if set(verdicts) - {ACCEPTED, KNOWN}:
        raise AssertionError(f"the drill's rounds have no fault, but: {body[:2000]!r}")
    return len(verdicts) == count
