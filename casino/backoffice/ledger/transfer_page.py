"""The transfers of customers' accounts, a page at a time."""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.http import QueryDict

from casino.backoffice.site.keyset_paging import SIZE, KeysetPage
from payouts.settlement.account_transfers import TransferKey, account_transfers

_MOST_ENTRY: Final = 2**15 - 1
_MOST_LINE: Final = 2**31 - 1


def transfer_page(account_ids: Collection[int], query: QueryDict) -> KeysetPage:
    """The transfers ``before`` a key, by default the newest. An invalid key is ignored."""
    rows = account_transfers(account_ids, before=_key_in(query.get("before", "")), most=SIZE + 1)
    older = "/".join(map(str, rows[SIZE - 1].key)) if len(rows) > SIZE else None
    return KeysetPage(rows[:SIZE], None, older)


def _key_in(text: str) -> TransferKey | None:
    """The key that ``origin/entry/line`` names; None if invalid."""
    try:
        origin, entry, line = text.split("/")
        key = TransferKey(UUID(origin), int(entry), int(line))
    except ValueError:
        return None
    return key if 0 <= key.entry <= _MOST_ENTRY and 0 <= key.line <= _MOST_LINE else None
