"""Attacks by machine code that a process would use in place of Sabot's own rules."""

import shutil
from collections.abc import Callable
from typing import Final

import pytest

from compliance.release.compare_files import COMPILED_RULES
from rounds.released_rules import compiled_rules
from tests.compliance.release.small_release import SmallRelease, differing

_PACKAGE: Final = compiled_rules.PACKAGE
_FILES: Final = {
    f"{_PACKAGE}/__init__.py": b"",
    f"{_PACKAGE}/sources.txt": b"",
    f"{_PACKAGE}/rounds.rules.judge.so": b"pays three to two",
}
_CODE: Final = f"{_PACKAGE}/rounds.rules.judge.so"
_FORGED: Final = b"pays three to one"
_BOTH: Final = pytest.mark.parametrize("thoroughly", [False, True])


def _install(release: SmallRelease) -> None:
    for name, content in _FILES.items():
        release.write(name, content)
    release.record(_PACKAGE, _FILES)


def _other_code(release: SmallRelease) -> None:
    release.write(_CODE, _FORGED)


def _other_code_with_its_record(release: SmallRelease) -> None:
    release.write(_CODE, _FORGED)
    release.record(_PACKAGE, _FILES)


def _another_platform(release: SmallRelease) -> None:
    """For which the list has no record to compare with."""
    release.write(_CODE, _FORGED)
    release.record(_PACKAGE, _FILES, tag="cp311-cp311-linux_x86_64")


def _another_version(release: SmallRelease) -> None:
    release.write(_CODE, _FORGED)
    shutil.rmtree(release.root / f"{_PACKAGE}-1.4.dist-info")
    release.record(_PACKAGE, _FILES, version="1.5")


def _loose_folder(release: SmallRelease) -> None:
    release.write(_CODE, _FORGED)
    shutil.rmtree(release.root / f"{_PACKAGE}-1.4.dist-info")


def _another_module(release: SmallRelease) -> None:
    release.write(f"{_PACKAGE}/rounds.rules.odds.so", _FORGED)


def _bytecode_alone(release: SmallRelease) -> None:
    release.write(f"{_PACKAGE}/more.pyc", _FORGED)


class TestCompiledRules:
    def test_are_compared_by_the_name_that_processes_find(self) -> None:
        """Lower packages import none above them, so both name it."""
        assert COMPILED_RULES == compiled_rules.PACKAGE

    @_BOTH
    def test_are_those_of_the_list(self, release: SmallRelease, thoroughly: bool) -> None:
        """As a release brings them."""
        _install(release)
        release.sign(more=[_PACKAGE])

        assert differing(thoroughly=thoroughly) == []

    @_BOTH
    @pytest.mark.parametrize(
        "forge",
        [
            _other_code,
            _other_code_with_its_record,
            _another_platform,
            _another_version,
            _loose_folder,
            _another_module,
            _bytecode_alone,
        ],
    )
    def test_differ_once_forged(
        self, release: SmallRelease, forge: Callable[[SmallRelease], None], thoroughly: bool
    ) -> None:
        """When a process starts as well as each night, each difference once."""
        _install(release)
        release.sign(more=[_PACKAGE])

        forge(release)

        found = differing(thoroughly=thoroughly)
        assert found
        assert all(_PACKAGE in item or "sabot-compiled-rules" in item for item in found)
        assert len(set(found)) == len(found)

    @_BOTH
    def test_differ_if_the_release_has_none(self, release: SmallRelease, thoroughly: bool) -> None:
        """Whatever their own record says."""
        _install(release)

        assert "package sabot-compiled-rules" in differing(thoroughly=thoroughly)

    @_BOTH
    def test_differ_if_found_elsewhere(
        self, release: SmallRelease, monkeypatch: pytest.MonkeyPatch, thoroughly: bool
    ) -> None:
        """As by a variable of the environment: one module, which no folder of a release has."""
        other = release.folder / "other"
        other.mkdir()
        (other / f"{_PACKAGE}.py").write_bytes(_FORGED)
        monkeypatch.syspath_prepend(str(other))

        assert differing(thoroughly=thoroughly) == [f"package {_PACKAGE}"]
