"""The table of threats names tests that exist."""

import re
from typing import Final

from casino.embedded.server_paths import CLONE

_PAGE: Final = CLONE / "docs" / "threats.md"
_COLUMNS: Final = 6


def test_every_threat_has_a_test_that_exists() -> None:
    """By the end of its path."""
    _title, _line, table = _PAGE.read_text().partition("|---|---|---|---|---|---|\n")
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()]
    tests = [str(path) for path in (CLONE / "tests").rglob("test_*.py")]

    assert rows
    assert {len(row) for row in rows} == {_COLUMNS}
    for row in rows:
        named = re.findall(r"`([a-z_/]+\.py)`", row[4])
        assert named, row[0]
        assert [name for name in named if not any(test.endswith(name) for test in tests)] == []
