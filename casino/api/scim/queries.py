"""Lists of SCIM: filters by ``eq`` on few attributes, and pages by ``startIndex`` and ``count``."""

from collections.abc import Collection, Iterator
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework.request import Request
from scim2_models import InvalidFilterException, InvalidValueException, ListResponse, ScimFilter
from scim2_models.path import CompareOperator, Comparison, LogicalExpr, LogicalOperator

from casino.api.scim.resources import MOST_RESULTS

_LONGEST_FILTER: Final = 1_000
_LONGEST_NUMBER: Final = 9  # characters


def conditions_in(request: Request, model: Any, attributes: Collection[str]) -> dict[str, str]:
    """The values that the filter names, by attribute. Raises InvalidFilterException."""
    text = request.query_params.get("filter")
    if text is None:
        return {}
    if len(text) > _LONGEST_FILTER:
        raise _unsupported(text, attributes)
    conditions: dict[str, str] = {}
    for comparison in _comparisons(ScimFilter.__class_getitem__(model)(text).ast):
        if not isinstance(comparison, Comparison):
            raise _unsupported(text, attributes)
        names = [name for name in attributes if name.lower() == str(comparison.attr_path).lower()]
        is_repeated = bool(names) and conditions.get(names[0], comparison.value) != comparison.value
        if not names or is_repeated or comparison.op is not CompareOperator.eq:
            raise _unsupported(text, attributes)
        conditions[names[0]] = comparison.value
    return conditions


def number_in(request: Request, name: str, *, default: int) -> int:
    """A whole number of the query. Raises InvalidValueException."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= _LONGEST_NUMBER):
        message = _("%(name)s: found %(found)s; needed a whole number")
        raise InvalidValueException(detail=message % {"name": name, "found": text[:60]})
    return int(text)


def page_bounds(request: Request) -> tuple[int, int]:
    """The first index of a page, from 1, and the number of resources on it."""
    start = max(number_in(request, "startIndex", default=1), 1)
    return start, min(max(number_in(request, "count", default=MOST_RESULTS), 0), MOST_RESULTS)


def list_document(resources: list[dict[str, Any]], *, total: int, start: int) -> dict[str, Any]:
    """A page of a list."""
    return {
        "schemas": [str(ListResponse.__schema__)],
        "totalResults": total,
        "startIndex": start,
        "itemsPerPage": len(resources),
        "Resources": resources,
    }


def _comparisons(node: Any) -> Iterator[Any]:
    if isinstance(node, LogicalExpr) and node.op is LogicalOperator.and_:
        for term in node.terms:
            yield from _comparisons(term)
    else:
        yield node


def _unsupported(text: str, attributes: Collection[str]) -> InvalidFilterException:
    message = _("filter: found %(found)s; needed %(needed)s, joined by and")
    needed = ", ".join(f'{name} eq "…"' for name in attributes)
    return InvalidFilterException(detail=message % {"found": text[:200], "needed": needed})
