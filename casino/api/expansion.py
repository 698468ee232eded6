"""``expand``: parts of the single resource that a list adds to its rows on request."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from drf_spectacular.utils import OpenApiParameter

from casino.api.authentication import check_scopes
from casino.api.query_params import QueryParams
from casino.integrations.caller import Caller
from casino.integrations.scopes import Scope

MOST_EXPANDED: Final = 20
"""Rows of a page with expanded parts."""
_EXPAND: Final = "expand"


class Expansion(NamedTuple):
    """The parts that a list can add, with the scopes with which they are read otherwise."""

    parts: Mapping[str, tuple[Scope, ...]]

    @property
    def parameter(self) -> OpenApiParameter:
        """The declaration of ``expand``."""
        names = sorted(self.parts)
        part = f"({'|'.join(names)})"  # a text, since generators repeat the name of an array
        return OpenApiParameter(
            _EXPAND,
            {"type": "string", "pattern": f"^{part}(,{part})*$"},
            description=f"Parts to add, separated by commas: {', '.join(names)}; null otherwise."
            f" Needs the scopes of their own calls, and limits a page to {MOST_EXPANDED} rows",
        )

    def requested(self, params: QueryParams, caller: Caller) -> frozenset[str]:
        """The requested parts. Raises Problem for unknown ones and missing scopes."""
        requested = params.choices(_EXPAND, sorted(self.parts))
        needed = {scope for part in requested for scope in self.parts[part]}
        check_scopes(caller, sorted(needed))
        return requested
