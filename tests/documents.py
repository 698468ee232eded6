"""Small feed documents with results worked out by hand."""

import json
from typing import Any

TABLE = "bac-1"


def baccarat_bet(reference: str, kind: str, stake: str, **fields: object) -> dict[str, Any]:
    """A bet in time, of the customer p-1 by default."""
    return {
        "id": reference,
        "player": "p-1",
        "participation": "N000000000000001",
        "kind": kind,
        "stake": stake,
        "placed_at": "2026-11-21T21:10:15Z",
        **fields,
    }


def baccarat_round(reference: str, **fields: object) -> dict[str, Any]:
    """Player 9 (4 and 5) against Banker 7 (7 and ten): four cards, no pair.

    Player 10.00 pays 20.00, Banker 10.00 pays nothing, Small 2.00 at 1.5:1 pays 5.00.
    """
    return {
        "feed": "round/1",
        "round": reference,
        "table": TABLE,
        "rules": "baccarat/1",
        "shoe": {"id": f"shoe-of-{reference}", "drawn": 6},
        "opened_at": "2026-11-21T21:10:10Z",
        "closed_at": "2026-11-21T21:10:25Z",
        "ended_at": "2026-11-21T21:11:02Z",
        "session": "M000000000000001",
        "cards": [["P", "4S"], ["B", "7H"], ["P", "5D"], ["B", "TC"]],
        "bets": [
            baccarat_bet("b1", "player", "10.00"),
            baccarat_bet("b2", "banker", "10.00", player="p-2"),
            baccarat_bet("b3", "small", "2.00"),
        ],
        **fields,
    }


def held_baccarat_round(reference: str, **fields: object) -> dict[str, Any]:
    """The same round with an extra card: Player drew on a natural."""
    cards = [["P", "4S"], ["B", "7H"], ["P", "5D"], ["B", "TC"], ["P", "2C"]]
    return baccarat_round(reference, cards=cards, **fields)


def shoe(code: str, **fields: object) -> dict[str, Any]:
    """A shoe whose first card was a five, so five more were burnt."""
    return {
        "feed": "shoe/1",
        "shoe": code,
        "table": TABLE,
        "opened_at": "2026-11-21T21:09:00Z",
        "burnt": ["5H"],
        "burnt_face_down": 5,
        **fields,
    }


def lines(*documents: object) -> list[bytes]:
    """The documents as lines of a feed; text goes in as it is."""
    return [
        document.encode() if isinstance(document, str) else json.dumps(document).encode()
        for document in documents
    ]
