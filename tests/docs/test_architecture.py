"""The documentation names existing files, and shows the actual imports of the packages."""

import re
from pathlib import Path
from typing import Final

import pytest

from casino.embedded.server_paths import CLONE
from docs.site.draw_packages import PICTURE, ROOTS, draw, essential_imports, layers_of, read_imports

_PAGES: Final = [
    CLONE / "README.md",
    CLONE / "CONTRIBUTING.md",
    *sorted(CLONE.glob("docs/*.md")),
    *sorted(CLONE.glob("[a-z]*/README.md")),
    *sorted(CLONE.glob("[a-z]*/[a-z]*/README.md")),
]
_PATH: Final = re.compile(
    r"`((?:casino|compliance|payouts|rounds|templates|tests|benchmarks)/[\w./-]+)`"
)
_MADE_UP: Final = {
    "rounds/rules/blackjack/GAME.py",
    "rounds/rules/ambiguities/GAME.py",
    "compliance/exports/registers/NAME.py",
    "casino/api/RESOURCE/views.py",
    "casino/api/RESOURCE/representation.py",
    "casino/api/client/RESOURCE.py",
    "casino/api/client/shapes/RESOURCE.py",
    "casino/backoffice/SUBJECT/PAGE.py",
    "templates/backoffice/SUBJECT/PAGE.html",
}
"""Paths in instructions that stand for a file to be added."""


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.relative_to(CLONE).as_posix())
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    """A renamed file is renamed in the documentation as well."""
    named = set(_PATH.findall(page.read_text())) - _MADE_UP

    missing = sorted(path for path in named if not (CLONE / path).exists())

    assert missing == []


def test_the_void_button_is_at_most_twelve_files_from_the_ledger() -> None:
    """The walk of docs/contributor/architecture.md, from the page to the writer of the rows."""
    page = (CLONE / "docs" / "contributor" / "architecture.md").read_text()
    walk = page.split("## From the void button to the ledger")[1].split("\n## ")[0]

    files = re.findall(r"^\d+\. `(.+?)`", walk, re.MULTILINE)

    assert len(files) <= 12
    assert "payouts/cases/verify_case.py" in files
    assert files[-1] == "payouts/ledger/post_transfers.py"


def test_the_table_of_packages_has_every_package() -> None:
    """Each folder of modules below the four applications, by its path."""
    page = (CLONE / "docs" / "contributor" / "architecture.md").read_text()
    table = page.split("## The rooms")[1].split("\n## ")[0]
    packages = {
        folder.parent.relative_to(CLONE).as_posix()
        for root in ROOTS
        for folder in (CLONE / root).glob("*/__init__.py")
        if folder.parent.name not in {"management", "migrations"}
    }

    first_cells = "\n".join(re.findall(r"^\| (`.+?) \|", table, re.MULTILINE))

    assert "rounds/layouts" in packages
    assert packages - set(re.findall(r"`([\w/]+)`", first_cells)) == set()


class TestThePictureOfThePackages:
    def test_shows_the_imports_of_the_code(self) -> None:
        """`make architecture` draws it again."""
        assert PICTURE.read_text() == draw(read_imports())

    def test_has_every_package_above_those_it_imports(self) -> None:
        """D imports B and C, which import A."""
        imports = {
            "rounds.a": frozenset[str](),
            "rounds.b": frozenset({"rounds.a"}),
            "rounds.c": frozenset({"rounds.a"}),
            "rounds.d": frozenset({"rounds.a", "rounds.b", "rounds.c"}),
        }

        assert layers_of(imports) == [["rounds.d"], ["rounds.b", "rounds.c"], ["rounds.a"]]
        assert ("rounds.d", "rounds.a") not in set(essential_imports(imports))
