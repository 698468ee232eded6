"""The table of OWASP ASVS has every requirement, and names tests and files that exist."""

import re
from collections import Counter
from typing import Final, NamedTuple

from casino.embedded.server_paths import CLONE

_PAGE: Final = CLONE / "docs" / "administrator" / "asvs.md"
_STANDARD: Final = CLONE / "tests" / "golden" / "asvs-5.0.txt"
_STATES: Final = ("held", "not applicable", "not held")
_NONE: Final = "\N{EN DASH}"
_PATH: Final = re.compile(r"`([^`]+)`")
_PATHS: Final = re.compile(r"(by review: )?`[^`]+`(, `[^`]+`)*")


class Row(NamedTuple):
    """A requirement."""

    id: str
    asks: str
    level: str
    state: str
    how: str
    shown: str


def rows() -> list[Row]:
    """Those of all tables of the page."""
    lines = re.findall(r"^\| (\d+\..+) \|$", _PAGE.read_text(), re.MULTILINE)
    return [Row(*line.split(" | ")) for line in lines]


def test_every_requirement_has_a_row_with_its_level() -> None:
    """Once, in the order of the standard."""
    standard = [tuple(line.split()) for line in _STANDARD.read_text().splitlines()]

    assert len(standard) == 253
    assert [(row.id, row.level) for row in rows()] == standard


def test_no_cell_is_empty_and_each_state_is_one_of_three() -> None:
    """A dash stands where nothing shows that a requirement does not apply or is not held."""
    for row in rows():
        assert all(cell.strip() for cell in row), row.id
        assert row.state in _STATES, row.id
        assert _PATHS.fullmatch(row.shown) or (row.state != "held" and row.shown == _NONE), row.id


def test_the_head_counts_them() -> None:
    """By state."""
    counted = Counter(row.state for row in rows())

    total = ", ".join(f"{counted[state]} {state}" for state in _STATES)

    assert f"**{total}.**" in _PAGE.read_text()


def test_every_path_exists() -> None:
    """What is held without a review is shown by tests."""
    for row in rows():
        paths = [path for path in _PATH.findall(row.shown) if "/" in path or "." in path]
        assert [path for path in paths if not (CLONE / path).exists()] == [], row.id
        if row.state == "held" and not row.shown.startswith("by review"):
            assert all(path.startswith("tests/") for path in paths), row.id
