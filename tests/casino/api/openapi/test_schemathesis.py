"""Schemathesis finds no answer that violates the OpenAPI document (issue 8)."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from casino.api.openapi.examples import EXAMPLES
from casino.embedded.server_paths import CLONE
from compliance.exports.dossier.models import Dossier
from compliance.exports.services.issue_certificate import issue_certificate
from compliance.exports.services.issue_dossier import issue_dossier, sign_dossiers
from compliance.trail.log.append_to_log import append_to_log
from rounds.rules.catalogue import RULE_SETS
from tests.casino.api.api_client import a_customer, issued
from tests.casino.api.exports.export_programs import approve
from tests.casino.api.web_server import served
from tests.casino_in_play import NOW, by_now, ingest, open_table, settle
from tests.compliance.exports.exported_days import CLERK, exported, key_in
from tests.compliance.trail.logs import KEY
from tests.documents import lines
from tests.payouts.disputes.dispute_scenarios import disputed, take
from tests.repetitions import repeated

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # of all calls together

DOCUMENT: Final = EXAMPLES["deliver_rounds"]["request"]
_HOOKS: Final = "tests.casino.api.openapi.schemathesis_hooks"
_LINKS: Final = re.compile(r"API Links: +(\d+) covered / (\d+) selected")
_GENERATED: Final = re.compile(r"(\d+) generated")
_LEAST_SECONDS: Final = 150
"""Half of the links are followed by then, and a third on the slowest machine that was tried."""
# A valid call may be refused for what no schema expresses: an unknown customer, a used
# Idempotency-Key, another version, a range outside of a file, a round that the rules do not allow,
# and a digest or signature that is not of this body.
_CHECKS: Final = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", 304, 404, 409, 412, 416, 422]
[[operations]]
include-name = "POST /api/v1/rounds"
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 404, 409, 422]
"""
# Only the links of the description, and far along them.
_FOLLOWING: Final = """
[phases.stateful]
max-steps = 15
inference.algorithms = []
"""


@pytest.fixture
def command(
    fresh_casino: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[str]]:
    """The schemathesis command, and a server with the objects of the examples."""
    a_customer("p-8731")
    open_table("bac-1")
    ingest(lines(DOCUMENT))  # the round of the examples
    settle()
    dispute = disputed(str(DOCUMENT["round"]), "p-8731")  # D-0001, as in the examples
    take(dispute)  # in review a program may do most
    key = key_in(tmp_path)
    issue_dossier(dispute, Dossier.Audience.CUSTOMER, at=NOW, actor=CLERK)
    sign_dossiers(key=key, now=by_now)
    issue_certificate(RULE_SETS["baccarat/1"], key=key, at=NOW, actor=CLERK)
    monkeypatch.setenv("SABOT_EXPORTS", str(tmp_path / "out"))
    exported(tmp_path / "out", key)
    approve()
    append_to_log(KEY, now=by_now())
    token = issued(calls_per_minute=100_000).token
    with served(tmp_path, processes=2) as address:
        yield [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/v1/schema"),
            *("--header", f"Authorization: Bearer {token}", "--checks", "all"),
            "--no-color",
        ]


def output_of(command: list[str], *options: str, folder: Path) -> str:
    """The output of schemathesis, which must succeed."""
    completed = subprocess.run(
        [*command, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(CLONE), "SCHEMATHESIS_HOOKS": _HOOKS},
        capture_output=True,
        text=True,
        timeout=840,
        check=False,
    )
    failures = completed.stdout[completed.stdout.find("FAILURES") :]
    assert completed.returncode == 0, failures[:8_000] + completed.stderr[-1_000:]
    return completed.stdout


def test_every_operation_fits_the_openapi_document(command: list[str], tmp_path: Path) -> None:
    """Thousands of valid, invalid and follow-up calls, with all checks of schemathesis."""
    (tmp_path / "schemathesis.toml").write_text(_CHECKS)

    few = ("--max-examples", str(repeated(100)))
    output = output_of(command, "--seed", "8", *few, folder=tmp_path)

    [generated] = _GENERATED.findall(output)
    assert int(generated) >= repeated(5_000)


def test_calls_follow_from_calls(command: list[str], tmp_path: Path) -> None:
    """From a round to its bets, its receipt, its dispute, its evidence, the dossier."""
    (tmp_path / "schemathesis.toml").write_text(_CHECKS + _FOLLOWING)

    calls, seeds = 0, count(8)
    while calls < repeated(10_000):
        run = ("--phases", "stateful", "--max-time", str(_LEAST_SECONDS))
        output = output_of(command, *run, "--seed", str(next(seeds)), folder=tmp_path)
        [(covered, selected)] = _LINKS.findall(output)
        assert int(covered) >= int(selected) // 3, output
        calls += int(_GENERATED.findall(output)[0])
