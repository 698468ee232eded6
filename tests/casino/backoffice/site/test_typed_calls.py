"""Pages call services by named arguments, which mypy and a reader can follow."""

import ast
from collections.abc import Iterator
from typing import Final

from casino.embedded.server_paths import CLONE

_PAGES: Final = CLONE / "casino" / "backoffice"
_SERVICES: Final = ("rounds.services.", "payouts.", "compliance.", "casino.access.")


def services_of(module: ast.Module) -> set[str]:
    """The functions that a module imports from packages with services."""
    return {
        name.asname or name.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(_SERVICES)
        for name in node.names
        if name.name.islower()
    }


def unpacking_calls(source: str) -> Iterator[tuple[int, str]]:
    """The lines on which a service is called with a dictionary's entries as arguments."""
    module = ast.parse(source)
    services = services_of(module)
    for node in ast.walk(module):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in services
            and any(keyword.arg is None for keyword in node.keywords)
        ):
            yield node.lineno, node.func.id


def test_no_page_calls_a_service_with_a_dictionary() -> None:
    """The entries of ``cleaned_data`` have no types, so mypy checks no argument of such a call."""
    calls = [
        (path.relative_to(CLONE).as_posix(), *call)
        for path in sorted(_PAGES.rglob("*.py"))
        for call in unpacking_calls(path.read_text())
    ]

    assert calls == []


def test_such_a_call_is_found() -> None:
    """Of a service only, and under the name that the page gives it."""
    source = (
        "from payouts.cases.open_case import open_case as opened\n"
        "from casino.backoffice.site.views import show\n"
        "opened(at=now, **form.cleaned_data)\n"
        "show(**context)\n"
    )

    assert list(unpacking_calls(source)) == [(3, "opened")]
