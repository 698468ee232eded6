"""The examples of docs/api.md are run, and answer what stands there."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from casino.embedded.places import CLONE
from tests.casino_in_play import open_table
from tests.payouts.api.calling import a_customer, issued
from tests.payouts.api.serving import served

_BLOCK: Final = re.compile(r"^```(?P<kind>sh|json)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_NEW_EACH_TIME: Final = {"token", "expires_at", "instance", "delivered_at"}
_OF_A_JOB: Final = re.compile(r"(?<=/jobs/)[0-9a-f-]{36}")


def steps() -> list[tuple[str, Any]]:
    """Each example to be run, and what it answers; None where that is not shown."""
    page = (CLONE / "docs" / "api.md").read_text()
    found: list[tuple[str, Any]] = []
    for block in _BLOCK.finditer(page):
        if block["kind"] == "sh":
            found.append((block["text"], None))
        else:
            found[-1] = (found[-1][0], json.loads(block["text"]))
    return found


def lasting(answer: Any) -> Any:  # noqa: ANN401  JSON
    """An answer with what is new each time left open: tokens, times, the ids of jobs."""
    if not isinstance(answer, dict):
        return answer
    told: dict[str, Any] = {
        name: "…" if name in _NEW_EACH_TIME else value for name, value in answer.items()
    }
    if "/jobs/" in str(told.get("links")):
        told["id"] = "…"
        links: dict[str, str] = answer["links"]
        told["links"] = {name: _OF_A_JOB.sub("…", link) for name, link in links.items()}
    return told


@pytest.mark.usefixtures("fresh_casino")
def test_the_examples_answer_what_stands_there(tmp_path: Path) -> None:
    """With curl, against gunicorn."""
    a_customer("p-8731")
    open_table("bac-1")
    token = issued().token
    with served(tmp_path, processes=1) as address:
        told = {**os.environ, "SABOT": address, "TOKEN": token}
        for command, expected in steps():
            done = subprocess.run(
                ["/bin/bash", "-euo", "pipefail", "-c", command],
                cwd=tmp_path,
                env=told,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, ""), command
            if expected is not None:
                assert lasting(json.loads(done.stdout)) == lasting(expected), command


def test_there_are_examples() -> None:
    """Else the test above would say nothing."""
    assert len(steps()) >= 5
