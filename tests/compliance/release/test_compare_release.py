"""What is compared with the list of a release, and what is said without one."""

import hashlib
import shutil
from pathlib import Path

import pytest
from pytest_django import Settings

from compliance.release import current_release
from compliance.release.current_release import Outcome, compare_release, release_state
from compliance.release.release_list import InvalidRelease, read_release_list
from tests.compliance.release.small_release import SmallRelease, differing, public_key


class TestTheFilesOfARelease:
    @pytest.mark.parametrize("thoroughly", [False, True])
    def test_are_the_same_as_installed(self, release: SmallRelease, thoroughly: bool) -> None:
        """With the compiled files that pip makes."""
        assert list(release.root.rglob("__pycache__/*.pyc"))

        state = compare_release(thoroughly=thoroughly)

        assert (state.outcome, state.differences, state.version) == (Outcome.SAME, (), "2.0")

    @pytest.mark.parametrize("thoroughly", [False, True])
    def test_are_each_named_if_they_differ(self, release: SmallRelease, thoroughly: bool) -> None:
        """Missing, changed and additional ones, with what was found and needed."""
        (release.root / "toycasino/page.html").unlink()
        release.write("toycasino/pay.py", b"LIMIT = 900\n")
        release.write("toycasino/sub/more.py", b"")
        shutil.rmtree(release.root / "toycasino/__pycache__")

        state = compare_release(thoroughly=thoroughly)

        assert [difference[:2] for difference in state.differences] == [
            ("toycasino/page.html", "no file"),
            ("toycasino/pay.py", f"SHA-256 {_digest(release, 'toycasino/pay.py')}, 12 octets"),
            ("toycasino/sub/more.py", "an additional file"),
        ]
        assert state.outcome is Outcome.DIFFERS

    def test_of_another_package_are_named_too(self, release: SmallRelease) -> None:
        """By a thorough comparison."""
        release.write("ledgerlib/__init__.py", b"def post(cents):\n    return cents + 1\n")
        shutil.rmtree(release.root / "ledgerlib/__pycache__")

        assert differing() == ["package ledgerlib: ledgerlib/__init__.py"]
        (release.root / "ledgerlib/__init__.py").unlink()
        assert differing() == ["package ledgerlib: ledgerlib/__init__.py"]
        assert differing(thoroughly=False) == []

    def test_of_another_version_are_named(self, release: SmallRelease) -> None:
        """Also an older one with its own, valid record."""
        shutil.rmtree(release.root / "ledgerlib-1.4.dist-info")
        release.record("ledgerlib", ["ledgerlib/__init__.py"], version="1.3")

        assert differing() == ["package ledgerlib"]


class TestWithoutAList:
    def test_a_clone_is_not_a_release(
        self, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Plainly: nothing was compared."""
        (tmp_path / "manage.py").write_text("")
        monkeypatch.setattr(current_release, "ROOT", tmp_path)
        settings.RELEASE_LIST, settings.RELEASE_KEYS = str(tmp_path / "release.json"), []

        assert compare_release(thoroughly=True) == (Outcome.NOT_A_RELEASE, (), "", "")

        settings.RELEASE_KEYS = ["00" * 32]  # such a host was to run a release
        assert differing() == ["release"]

    def test_an_installed_package_differs(self, release: SmallRelease) -> None:
        """Somebody who deletes the list gains nothing."""
        release.list.unlink()

        assert differing(thoroughly=False) == ["release"]


class TestTheStateOfAProcess:
    def test_is_found_once_an_hour(
        self, release: SmallRelease, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Settlement may ask with each batch."""
        before = release_state().outcome
        release.write("toycasino/evil.py", b"")
        kept = release_state().outcome
        monkeypatch.setattr(current_release, "KEEP_SECONDS", -1.0)

        after = release_state().outcome

        assert (before, kept, after) == (Outcome.SAME, Outcome.SAME, Outcome.DIFFERS)


class TestAList:
    def test_is_read_as_it_was_made(self, release: SmallRelease) -> None:
        """And its octets depend on nothing else."""
        made = release.list.read_bytes()
        release.sign()

        read = read_release_list(release.list, keys=["00" * 32, public_key(release.key)])

        assert release.list.read_bytes() == made == read.as_bytes()
        assert read.files.keys() == {
            f"toycasino/{n}" for n in ("__init__.py", "pay.py", "page.html")
        }
        assert read.distributions["ledgerlib"].version == "1.4"
        assert read.artifacts["toycasino-2.0-py3-none-any.whl"].size > 0

    @pytest.mark.parametrize("content", [b"", b"[]", b'{"format": "sabot-release/2"}', b"\xff"])
    def test_that_is_damaged_is_refused(self, release: SmallRelease, content: bytes) -> None:
        """Even with a valid signature."""
        release.list.write_bytes(content)
        signature = release.key.sign(content)
        release.list.with_name("release.json.sig").write_bytes(signature)

        with pytest.raises(InvalidRelease, match=r"needed sabot-release/1"):
            read_release_list(release.list, keys=[public_key(release.key)])

    @pytest.mark.parametrize("keys", [[], ["7c0b"], ["none"]])
    def test_needs_valid_keys(self, release: SmallRelease, keys: list[str]) -> None:
        """Of 32 octets."""
        with pytest.raises(InvalidRelease, match="RELEASE_KEYS: found"):
            read_release_list(release.list, keys=keys)


def _digest(release: SmallRelease, name: str) -> str:
    return hashlib.sha256((release.root / name).read_bytes()).hexdigest()
