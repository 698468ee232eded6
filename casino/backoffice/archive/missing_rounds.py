"""The page in the place of one about rounds whose month left the database."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from casino.backoffice.site.views import show
from compliance.storage.partitions import month_of_key


def show_missing_rounds(
    request: HttpRequest, context: dict[str, Any], ids: Sequence[UUID]
) -> HttpResponse:
    """Names the rounds, whose own pages show them from the archive, and their months.

    ``context`` has the title and the parent of the page that cannot be shown.
    """
    months = sorted({str(month) for month in map(month_of_key, ids) if month is not None})
    context = {**context, "months": ", ".join(months), "ids": ids}
    return show(request, "backoffice/rounds/missing_rounds.html", context)
