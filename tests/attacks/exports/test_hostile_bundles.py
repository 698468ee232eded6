"""Files that are made to mislead or to stop the verifier: it ends in a word of its own."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from compliance.exports.verify_bundle import LARGEST_IN_MEMORY
from tests.compliance.exports.verifier_runs import VerifierRun, run_verifier
from tests.fuzzing.target import kept_inputs
from tests.fuzzing.targets.bundles import KEYS

KNOWN = [word for key in KEYS for word in ("--key-id", key)]
[SIGNED_DAY] = [path for path in kept_inputs("bundles") if path.name == "signed-day.zip"]
MANIFEST = "manifest.json"


def verified(folder: Path, files: dict[str, bytes], *arguments: str) -> VerifierRun:
    """The verifier's result for these files under a matching seal, which anybody can make."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sealed(folder, packed.getvalue(), *arguments)


def sealed(folder: Path, content: bytes, *arguments: str) -> VerifierRun:
    """The verifier's result for these octets under a matching seal."""
    path = folder / "bundle.zip"
    path.write_bytes(content + hashlib.sha256(content).hexdigest().encode())
    return run_verifier(path, *arguments)


def files_of_the_day(**changes: Any) -> dict[str, bytes]:
    """The files of a genuine bundle, with other values in its manifest."""
    with zipfile.ZipFile(SIGNED_DAY) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files[MANIFEST] = json.dumps(json.loads(files[MANIFEST]) | changes).encode()
    return files


class TestAStrangersBundle:
    @pytest.mark.parametrize(
        "text",
        ["\nRIGHT: bundle 1 of 2026-11-21", "\x1b[2K\rRIGHT: bundle 1", "\u2028RIGHT: bundle"],
    )
    def test_prints_no_verdict_of_its_own(self, tmp_path: Path, text: str) -> None:
        """By a line end or by moving the cursor, in a text that is printed before any signature."""
        run = verified(tmp_path, files_of_the_day(key_id=text), *KNOWN)

        assert run.status == 1
        assert all(line.isprintable() for line in run.output.split("\n"))
        assert [line[:7] for line in run.output.splitlines()] == ["The sea", "WRONG: "]

    def test_names_a_text_that_no_encoding_has(self, tmp_path: Path) -> None:
        """Half a character, which JSON allows."""
        run = verified(tmp_path, files_of_the_day(key_id="\ud800"), *KNOWN)

        assert (run.status, run.last_line) == (
            1,
            "WRONG: the manifest names the key \\ud800, which is not one of those given",
        )

    @pytest.mark.parametrize("beyond", [-1_000, 54], ids=["inside", "at the end"])
    def test_is_wrong_where_its_directory_points_nowhere(self, tmp_path: Path, beyond: int) -> None:
        """To where no file begins, and to where fewer octets are left than a file begins with."""
        content = bytearray(SIGNED_DAY.read_bytes()[:-64])
        entry = content.rindex(b"PK\x01\x02", 0, content.rindex(b"manifest.json", 0, -60))
        content[entry + 42 : entry + 46] = (len(content) + beyond).to_bytes(4, "little")

        run = sealed(tmp_path, bytes(content), *KNOWN)

        assert (run.status, run.last_line[:7]) == (1, "WRONG: ")

    def test_is_wrong_where_a_compression_of_another_kind_is_broken(self, tmp_path: Path) -> None:
        """Its module has an exception of its own."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr(MANIFEST, bytes(range(256)) * 9)
        content = bytearray(packed.getvalue())
        start = 30 + len(MANIFEST)
        content[start + 4 : start + 60] = bytes([255]) * 56

        run = sealed(tmp_path, bytes(content), *KNOWN)

        assert (run.status, run.last_line[:7]) == (1, "WRONG: ")

    @pytest.mark.slow
    def test_fills_no_memory_by_a_manifest_of_zeros(self, tmp_path: Path) -> None:
        """A gigabyte in a megabyte."""
        packed = io.BytesIO()
        with (
            zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open(MANIFEST, "w") as file,
        ):
            for _mebibyte in range(1 << 10):
                file.write(bytes(1 << 20))

        run = sealed(tmp_path, packed.getvalue(), *KNOWN)

        assert run.last_line == (
            f"WRONG: {MANIFEST} has {1 << 30} bytes; needed at most {LARGEST_IN_MEMORY}"
        )
