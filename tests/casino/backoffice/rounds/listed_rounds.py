"""Rounds of the round list, for tests."""

import re
from datetime import datetime, timedelta
from typing import Any

from tests.casino.backoffice.page_source import page_html
from tests.documents import baccarat_bet, baccarat_round

LIST = "/admin/rounds/round/"


def round_at(opened: datetime, **fields: object) -> dict[str, Any]:
    """A valid round that opened at this time."""
    times = {
        "opened_at": opened,
        "closed_at": opened + timedelta(seconds=15),
        "ended_at": opened + timedelta(seconds=50),
    }
    placed = f"{opened + timedelta(seconds=5):%Y-%m-%dT%H:%M:%SZ}"
    return baccarat_round(
        f"r-{opened:%d-%H%M%S}",
        **{name: f"{at:%Y-%m-%dT%H:%M:%SZ}" for name, at in times.items()},
        bets=[baccarat_bet("b1", "player", "10.00", placed_at=placed)],
        **fields,
    )


def shown(response: Any) -> list[str]:
    """The references of the listed rounds in order."""
    return re.findall(r'class="mono muted[^"]*">(r-[^<]+)<', page_html(response))
