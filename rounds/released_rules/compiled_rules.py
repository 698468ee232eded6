"""The rules as machine code, if the package of them is installed; Python's source otherwise.

The package ``sabot-compiled-rules`` (``make compiled``) is made from the modules that judge rounds,
by mypyc, and names the SHA-256 of each source. All of it is used, or nothing: only if all of these
sources are here, byte for byte. ``COMPILED_RULES=no`` has the sources used in any case.
"""

import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

PACKAGE: Final = "sabot_compiled_rules"
SHARED: Final = f"{PACKAGE}__mypyc"
"""The module that holds the code of all others, by the name that mypyc gives it."""
SOURCES: Final = "sources.txt"
"""In the package: lines as ``sha256sum`` writes them, with paths as in the clone."""
VARIABLE: Final = "COMPILED_RULES"
_ROOT: Final = Path(__file__).resolve().parents[2]


class RulesForm(StrEnum):
    """In which form a process uses the rules, and why."""

    COMPILED = "compiled from the sources that are here"
    NOT_INSTALLED = "Python's source; no compiled form is installed"
    OTHER_SOURCES = "Python's source; what is installed was compiled from another one"
    SWITCHED_OFF = "Python's source, because COMPILED_RULES is no"


class _CompiledModules(MetaPathFinder):
    """Finds these modules before Python finds their sources."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The compiled module of this name, if there is one."""
        file = self._files.get(fullname)
        if file is None:
            return None
        loader = ExtensionFileLoader(fullname, str(file))
        return spec_from_file_location(fullname, file, loader=loader)


def use_compiled_rules() -> RulesForm:
    """Has the modules of the package imported from now on, if they may be used."""
    if os.environ.get(VARIABLE, "").lower() in {"no", "false", "0"}:
        return RulesForm.SWITCHED_OFF
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return RulesForm.NOT_INSTALLED
    folder = Path(spec.origin).parent
    digests = dict(line.split("  ")[::-1] for line in (folder / SOURCES).read_text().splitlines())
    if any(digest != _digest_of(_ROOT / path) for path, digest in digests.items()):
        return RulesForm.OTHER_SOURCES
    modules = [path.removesuffix(".py").replace("/", ".") for path in digests]
    [suffix, *_] = EXTENSION_SUFFIXES
    files = {name: folder / f"{name}{suffix}" for name in (*modules, SHARED)}
    sys.meta_path.insert(0, _CompiledModules(files))
    return RulesForm.COMPILED


def _digest_of(file: Path) -> str | None:
    """The SHA-256 in hexadecimal; None if there is no such file."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else None
