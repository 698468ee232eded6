"""The commands that docs/verifying.md prints verify a decision by openssl alone."""

import re
import subprocess
from base64 import b64decode
from pathlib import Path
from typing import Final

import pytest

from compliance.exports import verify_bundle
from tests.compliance.exports.decisions.signed_day import KEYS, SIGNATURES, SignedDay
from tests.compliance.exports.exported_days import type_printed

GUIDE: Final = Path(verify_bundle.__file__).parents[2] / "docs" / "verifying.md"


@pytest.fixture
def command() -> str:
    """The printed commands."""
    _before, section = GUIDE.read_text().split("### One signature by openssl\n")
    [printed] = re.findall(r"\n((?:    .+\n)+)", section)
    return str(printed)


def unpacked(day: SignedDay, **changes: bytes) -> Path:
    """A folder with the files of the bundle."""
    folder = day.folder / "unpacked"
    folder.mkdir()
    for name, content in ((SIGNATURES, day.files[SIGNATURES]), (KEYS, day.files[KEYS])):
        (folder / name).write_bytes(changes.get(name.partition(".")[0], content))
    return folder


def test_verify_each_decision(signed: SignedDay, command: str) -> None:
    """The output has the text of the decision and its challenge twice."""
    folder = unpacked(signed)

    for number, line in enumerate(signed.lines(SIGNATURES), start=1):
        typed = type_printed(command.replace("sed -n 1p", f"sed -n {number}p"), folder=folder)

        first, challenge_and_more = typed.split("\n", 1)
        challenge = challenge_and_more.partition("{")[0]
        assert first == "Verified OK"
        assert f'"challenge": "{challenge}"' in challenge_and_more
        assert typed.endswith(b64decode(line["signed_text"]).decode())


def test_refuse_another_signature(signed: SignedDay, command: str) -> None:
    """The approval's in the place of the proposal's."""
    first, second = signed.lines(SIGNATURES)
    swapped = signed.files[SIGNATURES].replace(
        first["signature"].encode(), second["signature"].encode()
    )

    with pytest.raises(subprocess.CalledProcessError):
        type_printed(f"set -e\n{command}", folder=unpacked(signed, signatures=swapped))
