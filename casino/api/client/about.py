"""``sabot.about``: the index, the descriptions of the API, the problem types and the key."""

from collections.abc import Mapping
from typing import Any, Final

from .calls import Calls, Operation
from .shapes.about import ApiIndex, CallingKey, ProblemType, PublicKey
from .shapes.page import Page

INDEX: Final = Operation("read_index", "GET", "", ApiIndex)
SCHEMA: Final = Operation("read_schema", "GET", "/schema", dict[str, Any])
ASYNCAPI: Final = Operation("read_asyncapi", "GET", "/asyncapi", dict[str, Any])
FEED_SCHEMA: Final = Operation("read_feed_schema", "GET", "/schemas/feed", dict[str, Any])
ME: Final = Operation("read_me", "GET", "/me", CallingKey)
KEYS: Final = Operation("list_keys", "GET", "/keys", Page[PublicKey])
PROBLEMS: Final = Operation("list_problems", "GET", "/problems", Page[ProblemType])
PROBLEM: Final = Operation("read_problem", "GET", "/problems/{slug}", ProblemType)


class AboutCalls:
    """Operations that need no scope."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def index(self) -> ApiIndex:
        """The addresses of the descriptions and of the problem types."""
        return self._calls.call(INDEX)

    def schema(self) -> Mapping[str, Any]:
        """The OpenAPI document."""
        return self._calls.call(SCHEMA)

    def asyncapi(self) -> Mapping[str, Any]:
        """The AsyncAPI document of the events."""
        return self._calls.call(ASYNCAPI)

    def feed_schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the feed's documents."""
        return self._calls.call(FEED_SCHEMA)

    def me(self) -> CallingKey:
        """The key that calls, with its scopes and limits."""
        return self._calls.call(ME)

    def keys(self) -> tuple[PublicKey, ...]:
        """The operator's certificates and the keys of the log, also earlier ones."""
        return self._calls.call(KEYS).data

    def problems(self) -> tuple[ProblemType, ...]:
        """Every problem type."""
        return self._calls.call(PROBLEMS).data

    def problem(self, slug: str) -> ProblemType:
        """A problem type, by its slug: the ``kind`` of a SabotProblem."""
        return self._calls.call(PROBLEM, {"slug": slug})
