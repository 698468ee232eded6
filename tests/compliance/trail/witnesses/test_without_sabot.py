"""The commands of ``docs/regulator/without-sabot.md`` verify a bundle and find changes."""

import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_django import Settings

from casino.embedded.server_paths import CLONE
from compliance.exports.models import Bundle
from compliance.exports.scope import one_day
from compliance.exports.services.enqueue_export import enqueue_export
from compliance.exports.services.process_exports import process_exports
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.witnesses.ask_witnesses import ask_witnesses
from tests.casino_in_play import open_table
from tests.compliance.exports.exported_days import CLERK, certificate_in, key_in
from tests.compliance.trail.logs import KEY, write
from tests.compliance.trail.witnesses.running_witness import (
    LOG,
    RunningWitness,
    policy_of,
    running_witnesses,
)
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("fresh_casino")]

COMMANDS: Final = "".join(
    re.findall(
        r"^    (.*\n)", (CLONE / "docs/regulator/without-sabot.md").read_text(), re.MULTILINE
    )
)
VERIFIED: Final = "Signature Verified Successfully"
Files = dict[str, bytes]


@pytest.fixture
def given(two: list[RunningWitness], settings: Settings, tmp_path: Path) -> Path:
    """The folder of somebody who has the bundle of a closed day, certificate and policy."""
    settings.STATIC_ROOT = tmp_path
    key_in(tmp_path)
    open_table()
    arrive(dealt("r-1", NOON))
    settle_at()
    write(6)
    close()
    write(4)
    append_to_log(KEY, now=AFTER)
    ask_witnesses()
    enqueue_export(of=one_day(DAY), at=AFTER, actor=CLERK)
    process_exports(now=lambda: AFTER, key=tmp_path / "export.key", folder=tmp_path / "out")
    folder = tmp_path / "stranger"
    folder.mkdir()
    shutil.copy(tmp_path / "out" / Bundle.objects.get().path, folder / "bundle.zip")
    shutil.copy(certificate_in(tmp_path), folder / "operator.crt")
    (folder / "log-policy").write_text(f"log {LOG}\n{policy_of(two)}")
    return folder


class TestTheCommandsOfThePage:
    def test_verify_a_bundle(self, given: Path) -> None:
        """By openssl, jq, sha256sum, unzip and xxd."""
        said = typed(given)

        assert "files: as signed" in said
        assert "closing: in the log" in said
        assert said.count(VERIFIED) == 3

    def test_find_a_changed_register(self, given: Path) -> None:
        """Its digest is another one than the manifest's."""
        changed(given, lambda files: replace(files, "registers/bets.csv", b";1;", b";2;"))

        said = typed(given)

        assert "files: as signed" not in said
        assert "closing: in the log" in said

    @pytest.mark.parametrize(
        ("member", "change"),
        [
            ("record", lambda record: record.replace("gross_win_cents", "gross-win_cents", 1)),
            ("tlog_proof", lambda proof: proof.replace("index 1", "index 2", 1)),
            ("tlog_proof", lambda proof: re.sub(r"(index \d+\n).*\n", r"\1", proof)),
            ("tlog_proof", lambda proof: re.sub(r"(index \d+\n)(.*\n)", r"\1\2\2", proof)),
        ],
    )
    def test_find_a_closing_that_is_not_in_the_log(
        self, given: Path, member: str, change: Callable[[str], str]
    ) -> None:
        """Another text, another position, a hash too few and one too many."""
        changed(given, lambda files: in_proof(files, member, change))

        said = typed(given)

        assert "closing: in the log" not in said
        assert said.count(VERIFIED) == 3

    def test_find_a_head_that_nobody_signed(self, given: Path) -> None:
        """Neither the log nor a witness."""

        def forged(proof: str) -> str:
            return proof.replace("\ntime ", "\ntime 1", 1)

        changed(given, lambda files: in_proof(files, "tlog_proof", forged))

        assert VERIFIED not in typed(given)

    def test_find_a_witness_that_saw_nothing(
        self, given: Path, two: list[RunningWitness], tmp_path: Path
    ) -> None:
        """Its key is in the policy, its signature not under the head."""
        with running_witnesses(tmp_path / "others", "three") as [third]:
            policy = f"log {LOG}\n{policy_of([third, *two])}"
        (given / "log-policy").write_text(policy)

        said = typed(given)

        assert said.count(VERIFIED) == 3
        assert re.search(rf"witness three: (?!{VERIFIED})", said)


def typed(folder: Path) -> str:
    """What the commands print."""
    run = subprocess.run(
        ["/bin/sh", "-c", COMMANDS], cwd=folder, capture_output=True, text=True, check=False
    )
    return run.stdout


def changed(folder: Path, change: Callable[[Files], object]) -> None:
    """The bundle with other files, packed again; its signature is the operator's."""
    with zipfile.ZipFile(folder / "bundle.zip") as bundle:
        files = {name: bundle.read(name) for name in bundle.namelist()}
    change(files)
    with zipfile.ZipFile(folder / "bundle.zip", "w") as bundle:
        for name, content in files.items():
            bundle.writestr(name, content)


def replace(files: Files, name: str, old: bytes, new: bytes) -> None:
    """Other bytes in a file."""
    assert old in files[name]
    files[name] = files[name].replace(old, new, 1)


def in_proof(files: Files, member: str, change: Callable[[str], str]) -> None:
    """Another text in the proof of the closing."""
    proof: dict[str, Any] = json.loads(files["proof.json"])
    [closing] = proof["closings"]
    assert closing[member] != change(closing[member])
    closing[member] = change(closing[member])
    files["proof.json"] = json.dumps(proof).encode()
