"""Puts a mutant into this process: into the function that is changed, or in place of its module."""

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tests.mutants.code_shape import functions_in, shape_of

_WRAPPED = ("__wrapped__", "fget", "func", "__func__")
"""Where decorators keep a function: functools, property, cached_property, classmethod."""


def module_name(path: str) -> str:
    """The name by which a file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def changed_function(path: str, source: str) -> tuple[FunctionType, CodeType] | None:
    """The one function that differs, and its new code; None if the import differs, too.

    Everybody who has imported the function sees its new code, and so do tables of functions.
    """
    before, after = _compiled(path, Path(path).read_text()), _compiled(path, source)
    if shape_of(before, of_import=True) != shape_of(after, of_import=True):
        return None
    pairs = zip(functions_in(before), functions_in(after), strict=True)
    changed = [(old, new) for old, new in pairs if shape_of(old) != shape_of(new)]
    if len(changed) != 1:
        return None
    [(old, new)] = changed
    function = _found(path, old)
    if function is None or old.co_freevars != new.co_freevars:
        return None
    return function, new


def functions_of(path: str) -> list[tuple[FunctionType, CodeType]]:
    """All functions of the module as it is, with code compiled anew."""
    codes = functions_in(_compiled(path, Path(path).read_text()))
    return [(function, code) for code in codes if (function := _found(path, code)) is not None]


def import_changed(path: str, source: str) -> None:
    """Lets this process import the source in place of the module's file."""
    name = module_name(path)
    assert name not in sys.modules, f"{name} is imported already"
    sys.meta_path.insert(0, _Finder(name, path, source))


def _compiled(path: str, source: str) -> CodeType:
    return compile(source, str(Path(path).absolute()), "exec", dont_inherit=True)


def _found(path: str, code: CodeType) -> FunctionType | None:
    """The function of this code; None if another one stands at its name."""
    found: Any = import_module(module_name(path))
    for name in code.co_qualname.split("."):
        found = vars(found).get(name)
        if found is None:
            return None
    function = _unwrapped(found)
    if function is None or shape_of(function.__code__) != shape_of(code):
        return None
    return function


def _unwrapped(found: Any) -> FunctionType | None:
    for attribute in _WRAPPED:
        inner = getattr(found, attribute, None)
        if inner is not None:
            return _unwrapped(inner)
    return found if isinstance(found, FunctionType) else None


class _Finder(MetaPathFinder):
    """Finds one module, with another source."""

    def __init__(self, name: str, path: str, source: str) -> None:
        self.name = name
        self.path = Path(path).absolute()
        self.loader = _Loader(self.path, source)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """The changed module, or None for the finders after this one."""
        if fullname != self.name:
            return None
        folder = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return spec_from_file_location(
            fullname, self.path, loader=self.loader, submodule_search_locations=folder
        )


class _Loader(SourceLoader):
    """Without a modification time, and so without compiled files."""

    def __init__(self, path: Path, source: str) -> None:
        self.path = path
        self.source = source

    def get_filename(self, fullname: str) -> str:
        """The file that is not read."""
        return str(self.path)

    def get_data(self, path: Any) -> bytes:
        """The changed source."""
        return self.source.encode()
