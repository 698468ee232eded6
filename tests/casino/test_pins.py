"""Every installed package is pinned, with its reason."""

import re
from importlib.metadata import distribution, distributions
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from casino.embedded.server_paths import CLONE

CHOSEN: Final = ("requirements.txt", "requirements-dev.txt")
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


class TestWhatIsBroughtAlong:
    def test_is_pinned_too(self) -> None:
        """constraints.txt is regenerated after a change (CONTRIBUTING, Dependencies)."""
        pinned = pinned_in(*CHOSEN, "constraints.txt")

        needed = set().union(
            *(brought_along(requirement) for requirement in pinned_in(*CHOSEN).values())
        )

        assert needed - pinned.keys() == set()

    def test_is_installed_in_the_pinned_version(self) -> None:
        """Tests run with the pinned versions."""
        pinned = pinned_in(*CHOSEN, "constraints.txt")

        installed: dict[str, str] = {
            canonicalize_name(requirement.name): requirement.version
            for requirement in distributions()
        }

        differing = {
            name: installed[name]
            for name in pinned.keys() & installed.keys()
            if not pinned[name].specifier.contains(installed[name])
        }
        assert differing == {}
