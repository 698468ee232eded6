"""The examples of docs/api.md run and give the documented answers."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from casino.embedded.server_paths import CLONE
from compliance.exports.services.issue_dossier import sign_dossiers
from tests.casino.api.api_client import a_customer, issued
from tests.casino.api.exports.export_programs import approve
from tests.casino.api.web_server import served
from tests.casino_in_play import by_now, open_table
from tests.compliance.exports.exported_days import exported, key_in
from tests.studio_signatures import Signer

_BLOCK: Final = re.compile(
    r"^```(?P<kind>sh|python|json|text)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_RUN_BY: Final = {
    "sh": ("/bin/bash", "-euo", "pipefail", "-c"),
    "python": (sys.executable, "-W", "error", "-c"),
}
_NEW_EACH_TIME: Final = {
    *("token", "expires_at", "instance", "delivered_at", "issued_at", "signed_at"),
    *("sha256", "key_id", "opened_at", "due_at", "added_at", "actor"),
    "manifest_sha256",
}
_OF_A_JOB: Final = re.compile(r"(?<=/jobs/)[0-9a-f-]{36}")


class Step(NamedTuple):
    """A documented example, and the output that the page shows for it."""

    kind: str
    command: str
    shown_as: str = ""
    shown: str = ""

    def tells(self, output: str) -> bool:
        """Whether the output matches: text exactly, JSON without values that change."""
        if self.shown_as == "json":
            return bool(lasting(json.loads(output)) == lasting(json.loads(self.shown)))
        return self.shown_as == "" or output == self.shown


def steps() -> list[Step]:
    """The examples of the page in order."""
    page = (CLONE / "docs" / "api.md").read_text()
    steps: list[Step] = []
    for block in _BLOCK.finditer(page):
        if block["kind"] in _RUN_BY:
            steps.append(Step(block["kind"], block["text"]))
        else:
            steps[-1] = steps[-1]._replace(shown_as=block["kind"], shown=block["text"])
    return steps


def lasting(answer: Any) -> Any:
    """An answer without values that change: tokens, times, digests, job ids."""
    if isinstance(answer, list):
        return [lasting(item) for item in answer]
    if not isinstance(answer, dict):
        return answer
    new = _NEW_EACH_TIME | ({"bytes"} if "manifest_sha256" in answer else set())
    new |= {"id"} if "token" in answer else set()
    shown: dict[str, Any] = {n: "…" if n in new else lasting(value) for n, value in answer.items()}
    if "/jobs/" in str(shown.get("links")):
        shown["id"] = "…"
        links: dict[str, str] = answer["links"]
        shown["links"] = {name: _OF_A_JOB.sub("…", link) for name, link in links.items()}
    return shown


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_the_examples_give_the_documented_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With curl and with the client, against gunicorn."""
    a_customer("p-8731")
    open_table("bac-1")
    studio = Signer()
    studio.registered("bac-1")
    (tmp_path / "studio.pem").write_bytes(
        studio.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    key = key_in(tmp_path, "operator")
    (tmp_path / "sabot_client").symlink_to(CLONE / "casino" / "api" / "client")  # as if installed
    monkeypatch.setenv("SABOT_EXPORTS", str(tmp_path / "out"))
    exported(tmp_path / "out", key)
    approve()
    token = issued().token
    with served(tmp_path, processes=1) as address:
        environment = {**os.environ, "SABOT": address, "TOKEN": token}
        for step in steps():
            completed = subprocess.run(
                [*_RUN_BY[step.kind], step.command],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert (completed.returncode, completed.stderr) == (0, ""), step.command
            assert step.tells(completed.stdout), (step, completed.stdout)
            sign_dossiers(key=key, now=by_now)  # as the worker does meanwhile


def test_there_are_examples() -> None:
    """Guards against a page without examples."""
    kinds = Counter(step.kind for step in steps())

    assert (kinds["sh"] >= 5, kinds["python"] >= 3) == (True, True)
