"""Somebody who may write where a release is installed lets it run other code."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.release import compare_files, release_list
from tests.attacks.guards import Guard
from tests.compliance.release.small_release import (
    SmallRelease,
    compile_other_code,
    differing,
)


def test_a_changed_file(release: SmallRelease) -> None:
    """Of the same size."""
    release.write("toycasino/pay.py", b"LIMIT = 999\n")

    assert "toycasino/pay.py" in differing(thoroughly=False)


def test_an_additional_module(release: SmallRelease) -> None:
    """Which something else imports."""
    release.write("toycasino/evil.py", b"")

    assert differing(thoroughly=False) == ["toycasino/evil.py"]


def test_compiled_code_without_a_source(release: SmallRelease) -> None:
    """Python imports `evil.pyc` as `evil`."""
    source = release.write("toycasino/evil.py", b"LIMIT = 900\n")
    compiled = source.with_suffix(".pyc")
    command = f"import py_compile; py_compile.compile({str(source)!r}, cfile={str(compiled)!r})"
    subprocess.run([sys.executable, "-c", command], check=True)
    source.unlink()

    assert differing(thoroughly=False) == ["toycasino/evil.pyc"]


def test_compiled_code_in_the_form_of_another(release: SmallRelease) -> None:
    """A module with the name of a compiled file, next to its source."""
    release.write("toycasino/pay.cpython-311.pyc", b"")

    assert differing(thoroughly=False) == ["toycasino/pay.cpython-311.pyc"]


def test_other_compiled_code_of_a_source(release: SmallRelease) -> None:
    """Python runs it instead of the source, whose time and size it names."""
    compile_other_code(release.root / "toycasino/pay.py", b"LIMIT = 900\n")
    ask = [sys.executable, "-c", "from toycasino.pay import LIMIT; print(LIMIT)"]
    assert subprocess.check_output(ask, cwd=release.root, text=True) == "900\n"

    assert [Path(name).parent.as_posix() for name in differing()] == ["toycasino/__pycache__"]


def test_a_folder_that_leads_elsewhere(release: SmallRelease, tmp_path: Path) -> None:
    """A walk does not follow links; imports do."""
    (tmp_path / "elsewhere").mkdir()
    (release.root / "toycasino/sub").symlink_to(tmp_path / "elsewhere")

    assert differing(thoroughly=False) == ["toycasino/sub"]


@pytest.mark.parametrize("name", ["evil.pth", "sitecustomize.py", "celery.py", "evil/run.py"])
def test_a_file_beside_the_packages(release: SmallRelease, name: str) -> None:
    """Python runs lines of a `.pth` at every start."""
    release.write(name, b"import os\n")

    assert differing() == [name]


def test_a_package_of_its_own(release: SmallRelease) -> None:
    """With a record that lists it."""
    release.write("evil/__init__.py", b"")
    release.record("evil", {"evil/__init__.py": b""})

    assert differing() == ["package evil"]


def test_a_changed_package_with_its_record(release: SmallRelease) -> None:
    """The record is signed too, for the platform of the release."""
    release.write("ledgerlib/more.py", b"")
    release.record("ledgerlib", {"ledgerlib/__init__.py": b"", "ledgerlib/more.py": b""})

    assert differing() == ["package ledgerlib"]


def test_a_file_recorded_without_a_digest(release: SmallRelease) -> None:
    """As records list compiled files."""
    release.write("evil.py", b"")
    record = release.root / "ledgerlib-1.4.dist-info/RECORD"
    record.write_bytes(record.read_bytes() + b"\nevil.py,,")

    assert differing() == ["evil.py"]


def test_a_package_before_ours(
    release: SmallRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By PYTHONPATH or the folder of the process."""
    (tmp_path / "before/toycasino").mkdir(parents=True)
    (tmp_path / "before/toycasino/__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path / "before"))

    assert differing(thoroughly=False) == ["package toycasino"]


def test_another_package_before_theirs(
    release: SmallRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same."""
    other = tmp_path / "before"
    shutil.copytree(release.root / "ledgerlib", other / "ledgerlib")
    shutil.copytree(release.root / "ledgerlib-1.4.dist-info", other / "ledgerlib-1.4.dist-info")
    monkeypatch.syspath_prepend(str(other))

    assert differing() == ["package ledgerlib"]


def test_a_list_of_ones_own(release: SmallRelease) -> None:
    """Signed with another key than the installation names."""
    release.sign(Ed25519PrivateKey.generate())

    assert differing(thoroughly=False) == ["release"]


def test_a_list_that_was_changed(release: SmallRelease) -> None:
    """After it was signed."""
    listed = release.list.read_bytes()
    release.list.write_bytes(listed.replace(b'"version": "2.0"', b'"version": "2.1"'))

    assert differing(thoroughly=False) == ["release"]


GUARDS: Final = (
    Guard(compare_files._changed, "found != needed", test_a_changed_file),
    Guard(
        compare_files._additional,
        "source is None or source not in listed",
        test_an_additional_module,
    ),
    Guard(
        compare_files._of_bytecode,
        "not _is_compiled_from(root / path, root / source, optimize=level)",
        test_other_compiled_code_of_a_source,
    ),
    Guard(
        compare_files._files_below,
        "(base / name).is_symlink()",
        test_a_folder_that_leads_elsewhere,
    ),
    Guard(
        compare_files._recorded,
        "file.hash is not None or file.name == 'RECORD'",
        test_a_file_recorded_without_a_digest,
        passing="True",
    ),
    Guard(
        compare_files._of_distribution,
        "name not in {_OWN, *_OF_THE_ENVIRONMENT}",
        test_a_package_of_its_own,
    ),
    Guard(
        compare_files._of_distribution,
        "found == needed and comparable and (records_of(item)[tags] != records.get(tags))",
        test_a_changed_package_with_its_record,
    ),
    Guard(
        compare_files._loaded_from_elsewhere,
        "[Path(place).resolve() for place in places] != [(root / top).resolve()]",
        test_a_package_before_ours,
    ),
    Guard(compare_files._elsewhere, "place != root.resolve()", test_another_package_before_theirs),
    Guard(
        release_list.read_release_list,
        "any((_is_signed(content, signature, key) for key in accepted))",
        test_a_list_of_ones_own,
        passing="True",
    ),
    Guard(
        release_list._is_signed,
        "key.verify(signature, content)",
        test_a_list_that_was_changed,
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_succeeds_without_its_guard(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Each condition is needed."""
    guard.is_needed(request)
