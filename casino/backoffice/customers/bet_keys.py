"""The place of a bet in the query string."""

from typing import Final
from uuid import UUID

from payouts.settlement.customer_bets import BetKey

_MOST_NUMBER: Final = 2**31 - 1


def key_text(key: BetKey) -> str:
    """The text of a key."""
    return f"{key.round_id}/{key.number}"


def key_in(text: str) -> BetKey | None:
    """The key that a text names; None if invalid."""
    try:
        round_id, number = text.split("/")
        key = BetKey(UUID(round_id), int(number))
    except ValueError:
        return None
    return key if 0 <= key.number <= _MOST_NUMBER else None
