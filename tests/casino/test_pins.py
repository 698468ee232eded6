"""Every installed package is pinned, with its reason and the hashes of its files."""

import re
from importlib.metadata import distribution, distributions
from itertools import pairwise
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from casino.embedded.server_paths import CLONE
from deploy.release.pins import pins_of

CHOSEN: Final = ("requirements.txt", "requirements-dev.txt")
LOCKED: Final = (
    *("requirements", "requirements-dev", "requirements-api"),
    *("requirements-fuzzing", "requirements-mutants", "requirements-peers"),
)
HASH: Final = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
PIN: Final = re.compile(
    r"(?P<requirement>[A-Za-z0-9._-]+(\[[a-z0-9,-]+\])?==\S+)\s*(?P<reason>#.*)?"
)


def lines_of(file: str) -> list[str]:
    """The requirements of a file."""
    lines = (CLONE / file).read_text().splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r "))]


def pinned_in(*files: str) -> dict[str, Requirement]:
    """The pinned versions by canonical name."""
    pins = [PIN.fullmatch(line) for file in files for line in lines_of(file)]
    requirements = [Requirement(match["requirement"]) for match in pins if match]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def brought_along(requirement: Requirement) -> set[str]:
    """All dependencies of a requirement on this machine."""
    names: set[str] = set()
    waiting = [requirement]
    while waiting:
        asking = waiting.pop()
        for text in distribution(asking.name).requires or []:
            required = Requirement(text)
            extras = asking.extras or {""}
            applies = required.marker is None or any(
                required.marker.evaluate({"extra": extra}) for extra in extras
            )
            if applies and canonicalize_name(required.name) not in names:
                names.add(canonicalize_name(required.name))
                waiting.append(required)
    return names


class TestThePythons:
    """3.11 to 3.14 are tested; newer versions are allowed."""

    def test_that_are_tested_are_named_alike_everywhere(self) -> None:
        """In README, requirements and Makefile."""
        texts = [(CLONE / name).read_text() for name in ("README.md", "requirements.txt")]
        makefile = (CLONE / "Makefile").read_text()
        found_versions = re.search(
            r"sys.exit\(not \(3, (\d+)\) <= sys.version_info < \(3, (\d+)\)\)", makefile
        )
        assert found_versions is not None
        oldest, beyond = map(int, found_versions.groups())

        named = f"Python 3.{oldest} to 3.{beyond - 1}"

        assert all(named in text for text in (*texts, makefile))
        assert f"python3.{beyond - 1} " in makefile
        assert f'requires-python = ">=3.{oldest}"' in (CLONE / "pyproject.toml").read_text()


class TestEveryLine:
    def test_pins_one_version_and_gives_its_reason(self) -> None:
        """Issue 1, item 1."""
        lines = [line for file in CHOSEN for line in lines_of(file)]

        without = [
            line for line in lines if not (match := PIN.fullmatch(line)) or not match["reason"]
        ]

        assert without == []


class TestTheLock:
    """What `make lock` writes."""

    @pytest.mark.parametrize("name", LOCKED)
    def test_has_the_pins_of_its_requirements(self, name: str) -> None:
        """Each in the same version."""
        pinned = {pin.name: str(pin.specifier) for pin in pins_of(CLONE / f"{name}.txt")}
        locked = {pin.name: str(pin.specifier) for pin in pins_of(CLONE / f"{name}.lock")}

        assert pinned
        assert pinned.items() - locked.items() == set()

    @pytest.mark.parametrize(
        ("lock", "chosen"),
        [("requirements.lock", CHOSEN[:1]), ("requirements-dev.lock", CHOSEN)],
    )
    def test_has_what_they_bring_along_and_nothing_else(
        self, lock: str, chosen: tuple[str, ...]
    ) -> None:
        """On this Python; packages of other Pythons and platforms have a marker."""
        applying = {pin.name: pin for pin in pins_of(CLONE / lock) if _applies(pin)}

        needed = {name for file in chosen for name in pinned_in(file)}.union(
            *(brought_along(pin) for file in chosen for pin in pinned_in(file).values())
        )

        assert applying.keys() == needed

    def test_of_the_runtime_is_part_of_that_of_development(self) -> None:
        """Tests run with what hosts run."""
        runtime, development = (
            {(pin.name, str(pin.specifier)) for pin in pins_of(CLONE / name)}
            for name in ("requirements.lock", "requirements-dev.lock")
        )

        assert len(runtime) > 50
        assert runtime - development == set()

    @pytest.mark.parametrize("name", LOCKED)
    def test_has_hashes_and_names_no_index(self, name: str) -> None:
        """Where files come from is the machine's setting."""
        lines = (CLONE / f"{name}.lock").read_text().splitlines()

        heads = [line for line in lines if not line.startswith(" ")]
        hashes = [line for line in lines if line.startswith(" ")]
        assert [
            head for head in heads if not re.fullmatch(r"[a-z0-9-]+==\S+ (; .+ )?\\", head)
        ] == []
        assert [line for line in hashes if not HASH.fullmatch(line)] == []
        followed = {before for before, line in pairwise(lines) if line.startswith(" ")}
        assert set(heads) <= followed

    def test_is_what_is_installed(self) -> None:
        """Tests run with the pinned versions."""
        pinned = {
            pin.name: pin for pin in pins_of(CLONE / "requirements-dev.lock") if _applies(pin)
        }

        installed: dict[str, str] = {
            canonicalize_name(requirement.name): requirement.version
            for requirement in distributions()
        }

        differing = {
            name: installed.get(name)
            for name in pinned
            if not pinned[name].specifier.contains(installed.get(name, "0"))
        }
        assert differing == {}


def _applies(pin: Requirement) -> bool:
    return pin.marker is None or pin.marker.evaluate()
