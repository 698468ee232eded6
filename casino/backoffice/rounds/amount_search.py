"""Search of rounds by amount, and the range of bets that was searched."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import QueryDict

from casino.backoffice.lists.files import MOST_ROWS
from casino.backoffice.site.keyset_paging import SIZE, KeysetPage, key_of, page_of
from payouts.settlement.amount_search import Place, rounds_of_amount, search_window
from rounds.models import Round


def rounds_by_amount(
    cents: int, *, among: QuerySet[Round], ids: tuple[UUID | None, UUID | None], query: QueryDict
) -> tuple[KeysetPage, dict[str, Any]]:
    """A page of rounds with this amount, and the range of bets that was searched.

    ``ids`` are the first ID within the filters and the first one after them. All pages of a
    search use the same range (``bets_before``), so that new bets do not move rows between pages.
    """
    newest = key_of(Round, query.get("bets_before"))
    searched = search_window(among, before=newest)
    result = rounds_of_amount(
        cents,
        among=among,
        window=searched,
        place=Place(key_of(Round, query.get("before")), key_of(Round, query.get("after")), *ids),
        most=SIZE + 1,
    )
    rows = Round.objects.select_related("table").filter(pk__in=result)
    earlier, end = None, searched.rounds[-1] if searched.rounds else None
    if not searched.is_last:
        earlier = _query(query, bets_before=end, before=end)
    if newest is None and searched.rounds:
        newest = UUID(int=searched.rounds[0].int + 1)
    return page_of(rows, query), {
        "cents": cents,
        "searched": searched,
        "searched_rounds": len(searched.rounds),
        "earlier_query": earlier,
        "latest_query": _query(query, bets_before=None),
        "here": f"{_query(query, bets_before=newest)}&",
    }


def all_rounds_by_amount(
    cents: int, *, among: QuerySet[Round], ids: tuple[UUID | None, UUID | None], query: QueryDict
) -> QuerySet[Round]:
    """All rounds with this amount in the searched range, newest first, for a file."""
    searched = search_window(among, before=key_of(Round, query.get("bets_before")))
    place = Place(None, None, *ids)
    result = rounds_of_amount(cents, among=among, window=searched, place=place, most=MOST_ROWS + 1)
    return Round.objects.select_related("table").filter(pk__in=result).order_by("-pk")


def _query(data: QueryDict, **places: UUID | None) -> str:
    """The query string for another range."""
    query = data.copy()
    for name in ("before", "after", "bets_before", "format"):
        query.pop(name, None)
    query.update({name: str(key) for name, key in places.items() if key is not None})
    return query.urlencode()
