"""``sabot.about``: what the API says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .calls import Calls, Operation


@dataclass(frozen=True, kw_only=True)
class Index:
    """Where to go from here."""

    name: str
    version: str
    schema: str
    reference: str
    problems: str


@dataclass(frozen=True, kw_only=True)
class KindOfProblem:
    """A kind of problem, and what helps against it."""

    type: str
    title: str
    status: int
    remedy: str


INDEX: Final = Operation("index", "GET", "/", Index)
SCHEMA: Final = Operation("schema", "GET", "/schema", dict[str, Any])
PROBLEMS: Final = Operation("problems", "GET", "/problems", tuple[KindOfProblem, ...])
PROBLEM: Final = Operation("problem", "GET", "/problems/{slug}", KindOfProblem)


class AboutCalls:
    """What can be asked without a key, too."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def index(self) -> Index:
        """Where everything is."""
        return self._calls.tell(INDEX)

    def schema(self) -> Mapping[str, Any]:
        """The description of the API in OpenAPI 3.1."""
        return self._calls.tell(SCHEMA)

    def problems(self) -> tuple[KindOfProblem, ...]:
        """Every kind of problem."""
        return self._calls.tell(PROBLEMS)

    def problem(self, slug: str) -> KindOfProblem:
        """One kind of problem, such as a SabotProblem's ``kind``."""
        return self._calls.tell(PROBLEM, {"slug": slug})
