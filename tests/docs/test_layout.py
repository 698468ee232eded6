"""The layout of the code: sizes of packages, folders and lines, and reasons of exemptions."""

import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import PurePath
from typing import Final

import grimp

from casino.embedded.server_paths import CLONE
from tests.docs.test_names import files

_ROOTS: Final = ("casino", "compliance", "payouts", "rounds")
_CODE: Final = {".py", ".html", ".js", ".css"}
_MOST_FILES: Final = 25
_LONGEST_LINE: Final = 200
_NOQA: Final = re.compile(r"# noqa\b(?!: [A-Z]+\d+(, [A-Z]+\d+)*  ?-? ?\w)")
"""An exemption from a rule of ruff without the rule or without a reason."""


def project_files() -> list[PurePath]:
    """Paths in the project, without migrations."""
    paths = [file.relative_to(CLONE) for file in files()]
    return [path for path in paths if "migrations" not in path.parts]


def lines_of(path: PurePath) -> list[str]:
    """The lines of a file of the project."""
    return (CLONE / path).read_text().splitlines()


def test_casino_has_at_most_three_eighths_of_the_product() -> None:
    """In lines of code and templates: it has all views and the API, and the others the domain."""
    lines = Counter[str]()
    for path in project_files():
        if path.suffix in _CODE and path.parts[0] in {*_ROOTS, "templates"}:
            lines[path.parts[0]] += len(lines_of(path))

    assert max(lines, key=lines.__getitem__) == "casino"
    assert 8 * lines["casino"] <= 3 * lines.total()


def test_no_folder_has_more_files_than_a_reader_scans() -> None:
    """Folders in it not counted."""
    counted = Counter(path.parent.as_posix() for path in project_files())

    assert counted["casino/access"] > 1
    assert {folder: n for folder, n in counted.items() if n > _MOST_FILES} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions included."""
    graph = grimp.build_graph(*_ROOTS, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}

    # Raises CycleError, which names the modules.
    in_order = list(TopologicalSorter(imports).static_order())

    assert in_order.index("rounds.rules.facts") < in_order.index("rounds.feed.rounds")


def test_no_line_of_a_template_is_too_long_to_read() -> None:
    """Neither in the pages nor in their scripts and styles."""
    templates = [path for path in project_files() if path.suffix in _CODE - {".py"}]

    too_long = [
        f"{path}:{number}"
        for path in templates
        for number, line in enumerate(lines_of(path), 1)
        if len(line) > _LONGEST_LINE
    ]

    assert templates
    assert too_long == []


def test_each_exemption_from_ruff_has_its_rule_and_reason() -> None:
    """On the same line, after the rule."""
    modules = [path for path in project_files() if path.suffix == ".py"]

    unexplained = [
        f"{path}:{number}"
        for path in modules
        for number, line in enumerate(lines_of(path), 1)
        if _NOQA.search(line) and path.name != "test_layout.py"
    ]

    assert modules
    assert unexplained == []


def test_an_exemption_without_a_reason_is_found() -> None:
    """Or without a rule."""
    assert _NOQA.search("x = 1  # noqa: S303")
    assert _NOQA.search("x = 1  # noqa")
    assert _NOQA.search("x = 1  # noqa: S303, S608  ")
    assert not _NOQA.search("x = 1  # noqa: S303, S608  the attack")
    assert not _NOQA.search("x = 1  # noqa: S303 - the attack")
