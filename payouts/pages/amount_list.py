"""The list of rounds that an amount finds, and what it says of the bets that were looked at."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import QueryDict

from payouts.amounts import Place, rounds_of_amount, stretch_of
from payouts.pages.paging import SIZE, KeysetPage, key_of, page_of
from rounds.models import Round


def found_by_amount(
    cents: int,
    *,
    among: QuerySet[Round],
    ids: tuple[UUID | None, UUID | None],
    asked: QueryDict,
) -> tuple[KeysetPage, dict[str, Any]]:
    """A page of the rounds that came to this amount, and the stretch of bets that it says.

    ``ids`` are the first id that the filters leave and the first that is too late.
    All pages of one search look at the same stretch, whatever arrives meanwhile: the links from
    page to page name it (``bets_before``).
    """
    before, after = asked.get("before"), asked.get("after")
    newest = key_of(Round, asked.get("bets_before"))
    stretch = stretch_of(among, before=newest)
    found = rounds_of_amount(
        cents,
        among=among,
        stretch=stretch,
        place=Place(key_of(Round, before), key_of(Round, after), *ids),
        most=SIZE + 1,
    )
    rows = Round.objects.select_related("table").filter(pk__in=found)
    further, end = None, stretch.rounds[-1] if stretch.rounds else None
    if not stretch.is_last:
        further = _query(asked, bets_before=end, before=end)
    if newest is None and stretch.rounds:
        newest = UUID(int=stretch.rounds[0].int + 1)
    return page_of(rows, before=before, after=after), {
        "cents": cents,
        "stretch": stretch,
        "stretch_length": len(stretch.rounds),
        "further": further,
        "from_the_newest": _query(asked, bets_before=None),
        "here": f"{_query(asked, bets_before=newest)}&",
    }


def _query(asked: QueryDict, **places: UUID | None) -> str:
    """The search without its place in the list, at another one."""
    query = asked.copy()
    for name in ("before", "after", "bets_before"):
        query.pop(name, None)
    query.update({name: str(key) for name, key in places.items() if key is not None})
    return query.urlencode()
