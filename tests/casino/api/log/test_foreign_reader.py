"""The log is followed and its proofs verified by a program that is not ours.

``follow.go`` uses the reference implementation of transparency logs (golang.org/x/mod/sumdb).
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from compliance.trail.log.checkpoints import verifier_key
from compliance.trail.log.proofs import prove_record
from compliance.trail.log.signed_heads import raw_key
from compliance.trail.log.tiles import last_checkpoint
from compliance.trail.models import AuditRecord
from tests.compliance.trail.logs import KEY, OTHER_KEY, append, write

_PROGRAM: Final = Path(__file__).with_name("follow.go")
_PACKAGES: Final = "/usr/share/gocode"
"""Where Debian's golang-golang-x-mod-dev installs them."""
_PROVED: Final = (0, 255, 256, 557)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled program."""
    folder = tmp_path_factory.mktemp("reader")
    environment = {"GO111MODULE": "off", "GOPATH": _PACKAGES, "GOCACHE": str(folder / "cache")}
    subprocess.run(
        [str(shutil.which("go")), "build", "-o", str(folder / "follow"), str(_PROGRAM)],
        env=os.environ | environment,
        check=True,
    )
    return folder / "follow"


def followed(reader: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What the program says."""
    return subprocess.run([reader, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.slow
class TestAForeignReader:
    def test_verifies_growth_every_leaf_and_proofs(
        self, reader: Path, fresh_casino: str, tmp_path: Path
    ) -> None:
        """By a checkpoint that it kept; not with another key, or another record."""
        write(300)
        append()
        earlier = tmp_path / "checkpoint"
        earlier.write_text(last_checkpoint())
        write(258)
        append()
        records = list(AuditRecord.objects.order_by("id"))
        arguments = [str(earlier)]
        for place in _PROVED:
            proof = prove_record(records[place].id)
            for name in ("tlog_proof", "record"):
                file = tmp_path / f"{name}-{place}"
                file.write_text(proof[name])
                arguments.append(str(file))
        key, other = (
            verifier_key(settings.LOG_ORIGIN, raw_key(it.public_key())) for it in (KEY, OTHER_KEY)
        )
        server = LiveServer("127.0.0.1")

        prefix = f"{server.url}/log/"
        right = followed(reader, prefix, key, *arguments)
        foreign = followed(reader, prefix, other)
        (tmp_path / "record-0").write_text(prove_record(records[1].id)["record"])
        changed = followed(reader, prefix, key, *arguments)
        server.stop()

        assert right.stdout == f"{len(records)} leaves and {len(_PROVED)} files are right\n"
        assert (foreign.returncode, changed.returncode) == (1, 1)
        assert "note has no verifiable signatures" in foreign.stdout
        assert "invalid transparency proof" in changed.stdout
