"""What docs/regulator/daily-totals.md computes by hand is right, and its program verifies."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_django import Settings

from casino.embedded.server_paths import CLONE
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.sum_trees.customer_proof import prove_totals
from payouts.gaming_days.models import DayClosing
from tests.compliance.exports.day_closings import log
from tests.compliance.exports.exported_days import exported
from tests.payouts.gaming_days.day_scenarios import DAY

_PAGE: Final = (CLONE / "docs" / "regulator" / "daily-totals.md").read_text()


def test_the_worked_example_is_right() -> None:
    """Each value from those before it, with SHA-256 alone."""
    steps = dict(re.findall(r"^\| ([a-z ]+) \| `(.+)` \|$", _PAGE, re.MULTILINE))
    octets = {name: bytes.fromhex(text) for name, text in steps.items() if name != "text"}

    opened = octets["nonce"] + steps["text"].encode()
    commitment = hashlib.sha256(b"\2" + opened).hexdigest()
    leaf = hashlib.sha256(b"\0" + octets["commitment"] + octets["sums"]).hexdigest()
    left, right = octets["leaf"] + octets["sums"], octets["other digest"] + octets["other sums"]
    root = hashlib.sha256(b"\1" + left + right).hexdigest()

    assert (commitment, leaf, root) == (steps["commitment"], steps["leaf"], steps["root"])
    assert octets["sums"] == b"".join(cents.to_bytes(8, "big") for cents in (300, 500, 0, 0))
    assert octets["other sums"] == b"".join(cents.to_bytes(8, "big") for cents in (700, 200, 0, 0))


class TestTheProgramOfThePage:
    @pytest.fixture
    def proof(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path, settings: Settings
    ) -> dict[str, Any]:
        """Of the customer p-2, who staked 10.00 and won nothing."""
        settings.EXPORTS_FOLDER = str(tmp_path / "out")
        exported(tmp_path / "out", key, day=DAY)
        log()
        return prove_totals("p-2", DAY)

    def test_verifies_a_proof(self, proof: dict[str, Any], tmp_path: Path) -> None:
        """With the sums that the customer knows."""
        completed = run_program(proof, tmp_path)

        assert completed.stdout == "p-2 baccarat [1000, 0, 0, 0]\n"

    def test_refuses_a_changed_proof(self, proof: dict[str, Any], tmp_path: Path) -> None:
        """A cent less, a share moved, and a neighbour with less than nothing."""
        for part, change in (("stakes_cents", -1), ("leaf", 8), ("winnings_cents", 1)):
            changed = json.loads(json.dumps(proof))
            changed["games"][0]["shares"][0][part] += change

            completed = run_program(changed, tmp_path)

            assert (completed.returncode, completed.stdout) == (1, "")


def run_program(proof: dict[str, Any], folder: Path) -> "subprocess.CompletedProcess[str]":
    """The only Python of the page, on a file with the proof."""
    [program] = re.findall(r"```python\n(.+?)```", _PAGE, re.DOTALL)
    (folder / "proof.json").write_text(json.dumps(proof))
    return subprocess.run(
        [sys.executable, "-I", "-c", program, str(folder / "proof.json")],
        capture_output=True,
        text=True,
        check=False,
    )
