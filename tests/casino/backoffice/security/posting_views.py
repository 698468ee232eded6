"""What views do with a POST, read from their code: nobody has to list a new one by hand."""

from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver

_OURS: Final = ("casino.backoffice", "casino.access")
_TAKES: Final = {"POST", "FILES", "body"}
_CONFIRMS: Final = {"is_confirmed", "is_confirmed_by_both", "require_confirmed"}


def posting_views() -> dict[str, bool]:
    """The names of all pages that do something with a POST, and whether they ask for a factor.

    Those of the API have no sessions.
    """
    used = {name: _names(view, set()) for name, (_route, view) in _views().items()}
    return {name: bool(names & _CONFIRMS) for name, names in used.items() if names & _TAKES}


def route_of(name: str) -> str:
    """The route of a page."""
    return _views()[name][0]


def _views() -> dict[str, tuple[str, Callable[..., Any]]]:
    found = _patterns(get_resolver().url_patterns)
    return {
        pattern.name or route: (route, pattern.callback)
        for route, pattern in found
        if not route.startswith("api/")
    }


def _patterns(
    patterns: list[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, route)
        else:
            yield route, pattern


def _names(view: object, seen: set[FunctionType]) -> set[str]:
    """The names that a view uses, and those that functions of ours use which it may call."""
    if isinstance(view, partial):
        return set().union(*(_names(part, seen) for part in (view.func, *view.args)))
    if not isinstance(view, FunctionType) or view in seen:
        return set()
    seen.add(view)
    is_form = hasattr(view, "view_class") and view.view_class.__module__.startswith(_OURS)
    names = {"POST"} if is_form or _is_post_only(view) else set()
    inner = [cell.cell_contents for cell in view.__closure__ or ()]
    for part in (*inner, getattr(view, "__wrapped__", None)):
        names |= _names(part, seen)
    if view.__module__.startswith(_OURS):
        for code in _codes(view.__code__):
            names |= {*code.co_names, *(text for text in code.co_consts if text == "POST")}
            for called in _called(code, view.__globals__):
                names |= _names(called, seen)
    return names


def _is_post_only(view: FunctionType) -> bool:
    """Whether it is what ``require_POST`` makes."""
    return any(cell.cell_contents == ["POST"] for cell in view.__closure__ or ())


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


def _called(code: CodeType, known: dict[str, Any]) -> Iterator[object]:
    """What the names in the code stand for, also in modules of ours."""
    for name in code.co_names:
        value = known.get(name)
        yield value
        if isinstance(value, ModuleType) and value.__name__.startswith(_OURS):
            yield from (getattr(value, inner, None) for inner in code.co_names)
