"""Pages of rounds, as both the database and the archive give them."""

import re
from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from django.test import Client

from tests.casino.backoffice.page_source import page_html

_OF_LIVE_ROUNDS: Final = (
    r' data-live="[^"]*" data-live-ask',
    r'<nav class="neighbours".*?</nav>',
    r'<a class="button" href="[^"]*/receipt\.json".*?</a>',
    r'<a class="plain" href="[^"]*/likelihood/">.*?</a>',
)
_LINK_TO_SHOE: Final = r'<a class="plain" href="/admin/shoe/[^"]*">(.*?)</a>'
_OF_BOTH: Final = r'<section class="panel"><header class="panel-head"><h2>Actions</h2>.*?</section>'
_OF_THE_ARCHIVE: Final = (
    r'<section class="alert alert-blue" role="status">(?:(?!</section>).)*'
    r"From archive 2026-11\.1: this round is not in the database.*?</section>"
)


def address_of(round_id: UUID) -> str:
    """The address of a round's page, live or archived."""
    return f"/admin/rounds/round/{round_id}/change/"


def contents_of(client: Client, rounds: Iterable[UUID]) -> dict[UUID, str]:
    """What the page of each round shows, without the menu, and without what only one of them has.

    Only a live round's has links to its neighbours, its receipt, its shoe and the likelihood of its
    bets; only an archived round's says where it comes from; and their actions differ.
    """
    return {round_id: _content(client.get(address_of(round_id))) for round_id in rounds}


def _content(answer: Any) -> str:
    assert answer.status_code == 200
    page = page_html(answer)
    page = page[page.index('<div class="page"') :]
    for pattern in (*_OF_LIVE_ROUNDS, _OF_BOTH, _OF_THE_ARCHIVE):
        page = re.sub(pattern, "", page)
    page = re.sub(_LINK_TO_SHOE, r"\1", page)
    return re.sub(r"\s+(?=<)|(?<=>)\s+", "", page)
