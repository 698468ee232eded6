"""Comparison of installed files with the list of a release."""

import hashlib
import importlib.util
import marshal
import os
import re
import sys
import warnings
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from importlib.metadata import distributions as distributions_in
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name

from compliance.release.release_list import (
    FileDigest,
    ReleaseList,
    digest_of,
    records_of,
    wheel_tags,
)
from compliance.storage.schema_objects.compare import Difference

COMPILED_RULES: Final = "sabot_compiled_rules"
"""The package that `rounds.released_rules.compiled_rules` finds."""
_OWN: Final = "sabot"
_OF_THE_ENVIRONMENT: Final = {"pip", "setuptools", "wheel"}
"""Brought by ``python -m venv``; compared with their own records only."""
_HEADER: Final = 16
_COMPILED: Final = re.compile(
    r"(?P<folder>(.+/)?)__pycache__/(?P<stem>[^/]+)\.(?P<tag>\w+-\d+t?)(\.opt-(?P<level>[12]))?\.pyc"
)


def own_differences(root: Path, release: ReleaseList) -> list[Difference]:
    """The files of Sabot's packages below ``root`` that are missing, changed or additional.

    Those of the compiled rules, which stand for Sabot's own, are among them.
    """
    tops = sorted(_tops(release))
    found = {path for top in tops for path in _files_below(root, top)}
    return [
        *_loaded_from_elsewhere(root, tops),
        *(Difference(path, "no file", f"{file}") for path, file in _missing(root, release)),
        *_changed(root, release),
        *_additional(found, release.files.keys()),
        *_of_compiled_rules(root, release),
    ]


def all_differences(root: Path, release: ReleaseList) -> list[Difference]:
    """Those, and those of every installed package, of loose files beside them and of bytecode.

    Other packages are compared with their own records, and these with the list, if it has them for
    the same platform. ``root`` is the folder of installed packages.
    """
    installed = list(distributions_in(path=[str(root)]))
    known = {file for item in installed for file in _recorded(item)}
    beside = set(_files_below(root, "."))
    compared = {*_tops(release), COMPILED_RULES}
    others = (item for item in installed if not _is_compiled_rules(item))
    return [
        *own_differences(root, release),
        *(difference for item in others for difference in _of_distribution(item, release)),
        *_elsewhere(root, release),
        *_additional(
            {path for path in beside if path.split("/")[0] not in compared},
            {path for path in known if not path.startswith("../")},
        ),
        *_of_bytecode(root, beside),
    ]


def _tops(release: ReleaseList) -> set[str]:
    return {path.partition("/")[0] for path in release.files}


def _loaded_from_elsewhere(root: Path, tops: Iterable[str]) -> Iterator[Difference]:
    for top in tops:
        spec = PathFinder.find_spec(top)
        places = list(spec.submodule_search_locations or ()) if spec else []
        if [Path(place).resolve() for place in places] != [(root / top).resolve()]:
            yield Difference(f"package {top}", f"{places}", f"{root / top}")


def _missing(root: Path, release: ReleaseList) -> Iterator[tuple[str, FileDigest]]:
    return ((path, file) for path, file in release.files.items() if not (root / path).exists())


def _changed(root: Path, release: ReleaseList) -> Iterator[Difference]:
    for path, needed in release.files.items():
        if (root / path).exists():
            found = digest_of((root / path).read_bytes())
            if found != needed:
                yield Difference(path, f"{found}", f"{needed}")


def _additional(found: Iterable[str], known: Iterable[str]) -> Iterator[Difference]:
    """Files that nothing lists. Compiled files count as listed with their source."""
    listed = set(known)
    for path in sorted(set(found) - listed):
        source = source_of(path)
        if source is None or source not in listed:
            yield Difference(path, "an additional file", "none that is not listed")


def source_of(path: str) -> str | None:
    """The source that Python would compile into this file; None for a file that it never loads so.

    A ``.pyc`` outside of ``__pycache__`` is loaded without any source.
    """
    compiled = _COMPILED.fullmatch(path)
    return None if compiled is None else f"{compiled['folder']}{compiled['stem']}.py"


def _files_below(root: Path, top: str) -> Iterator[str]:
    """All files, and links to folders, which a walk does not follow."""
    for folder, folders, names in os.walk(root / top):
        base = Path(folder)
        links = [name for name in folders if (base / name).is_symlink()]
        yield from ((base / name).relative_to(root).as_posix() for name in (*names, *links))


def _recorded(item: Distribution) -> Iterator[str]:
    """The files that the record of a distribution lists with a digest, and the record."""
    for file in item.files or ():
        if file.hash is not None or file.name == "RECORD":
            yield file.as_posix()


def _of_compiled_rules(root: Path, release: ReleaseList) -> Iterator[Difference]:
    """A process uses them in place of its own files: each must be of a wheel that is listed."""
    if PathFinder.find_spec(COMPILED_RULES) is None:
        return
    installed = [item for item in distributions_in(path=[str(root)]) if _is_compiled_rules(item)]
    yield from _loaded_from_elsewhere(root, [COMPILED_RULES])
    for item in installed:
        yield from _of_distribution(item, release)
    known = {file for item in installed for file in _recorded(item)}
    yield from _additional(_files_below(root, COMPILED_RULES), known)


def _is_compiled_rules(item: Distribution) -> bool:
    return canonicalize_name(item.name) == canonicalize_name(COMPILED_RULES)


def _of_distribution(item: Distribution, release: ReleaseList) -> Iterator[Difference]:
    name = canonicalize_name(item.name)
    listed = {canonicalize_name(key): value for key, value in release.distributions.items()}
    if name in listed:
        found, needed = item.version, listed[name].version
        if found != needed:
            yield Difference(f"package {name}", found, needed)
        tags = wheel_tags(item)
        records = listed[name].records
        comparable = tags in records or _is_compiled_rules(item)
        if found == needed and comparable and records_of(item)[tags] != records.get(tags):
            yield Difference(f"package {name}", "another record of its files", f"that of {tags}")
    elif name not in {_OWN, *_OF_THE_ENVIRONMENT}:
        yield Difference(f"package {name}", item.version, "none that is not listed")
    for file in item.files or ():
        if file.hash is not None and file.as_posix() not in release.files:
            yield from _of_recorded_file(name, file, Path(str(item.locate_file(file))))


def _of_recorded_file(name: str, file: PackagePath, path: Path) -> Iterator[Difference]:
    item = f"package {name}: {file.as_posix()}"
    if not path.is_file():
        yield Difference(item, "no file", "the file of its record")
        return
    assert file.hash is not None  # noqa: S101  see the caller
    needed = urlsafe_b64decode(f"{file.hash.value}==").hex()
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, file.hash.mode).hexdigest()
    if found != needed:
        yield Difference(item, f"{file.hash.mode} {found}", needed)


def _elsewhere(root: Path, release: ReleaseList) -> Iterator[Difference]:
    """Listed packages that would be loaded from another folder."""
    for name in release.distributions:
        try:
            place = Path(str(distribution(name).locate_file(""))).resolve()
        except PackageNotFoundError:
            continue  # not every Python needs every package
        if place != root.resolve():
            yield Difference(f"package {name}", f"{place}", f"{root}")


def _of_bytecode(root: Path, files: Iterable[str]) -> Iterator[Difference]:
    """Compiled files that do something else than their sources: Python runs them instead."""
    for path in sorted(files):
        source, compiled = source_of(path), _COMPILED.fullmatch(path)
        if source is None or compiled is None or not (root / source).is_file():
            continue
        if compiled["tag"] != sys.implementation.cache_tag:
            continue  # of another Python, which is not this process's
        level = int(compiled["level"] or 0)
        if not _is_compiled_from(root / path, root / source, optimize=level):
            yield Difference(path, "other code", f"that of {source}")


def _is_compiled_from(compiled: Path, source: Path, *, optimize: int) -> bool:
    content = compiled.read_bytes()
    if content[:4] != importlib.util.MAGIC_NUMBER:
        return True  # not loaded
    try:
        with warnings.catch_warnings(action="ignore"):
            needed = compile(
                source.read_bytes(), str(source), "exec", dont_inherit=True, optimize=optimize
            )
        return bool(marshal.loads(content[_HEADER:]) == needed)  # noqa: S302  compared, never run
    except (SyntaxError, ValueError, EOFError, TypeError):
        return False
