"""Examples of a round, for the description of the API."""

from typing import Any, Final

ROUND_ID: Final = "01a1fff1-f750-702d-a87f-f34877911dad"
JOB_ID: Final = "3f0c1f0e-52c5-4a0c-9a3f-0d7c6f1b2a11"
_ADDRESS: Final = f"/api/v1/rounds/{ROUND_ID}"
LINKS: Final = {
    "self": _ADDRESS,
    "bets": f"{_ADDRESS}/bets",
    "timeline": f"{_ADDRESS}/timeline",
    "receipt": f"{_ADDRESS}/receipt",
}
DOCUMENT: Final[dict[str, Any]] = {
    "feed": "round/1",
    "round": "bac-1-20261121-211010",
    "table": "bac-1",
    "rules": "baccarat/1",
    "shoe": {"id": "bac-1-000417", "drawn": 6},
    "opened_at": "2026-11-21T21:10:10Z",
    "closed_at": "2026-11-21T21:10:25Z",
    "ended_at": "2026-11-21T21:11:02Z",
    "session": "M000000000000001",
    "cards": [["P", "4S"], ["B", "7H"], ["P", "5D"], ["B", "TC"]],
    "bets": [
        {
            "id": "b1",
            "player": "p-8731",
            "participation": "N000000000000001",
            "kind": "player",
            "stake": "10.00",
            "placed_at": "2026-11-21T21:10:15Z",
        }
    ],
}
TAKEN: Final = {
    "verdict": "accepted",
    "round": DOCUMENT["round"],
    "id": ROUND_ID,
    "status": "waiting",
    "links": LINKS,
}
ANSWERS: Final = (
    f'{{"line": 1, "verdict": "accepted", "round": "{DOCUMENT["round"]}", "id": "{ROUND_ID}"}}\n'
    '{"line": 2, "verdict": "refused", "round": "bac-1-20261121-211105", "id": null, "errors":'
    ' [{"field": "/bets/0/stake", "found": "\'0.00\'", "needed": "more than nothing"}]}\n'
)
JOB: Final = {
    "id": JOB_ID,
    "status": "running",
    "percent": 40,
    "bytes": 260_000_000,
    "lines": 40_000,
    "verdicts": {"accepted": 39_990, "known": 10, "conflict": 0, "refused": 0},
    "delivered_at": "2026-11-21T22:00:00.000Z",
    "finished_at": None,
    "links": {
        "self": f"/api/v1/rounds/jobs/{JOB_ID}",
        "answers": f"/api/v1/rounds/jobs/{JOB_ID}/answers",
    },
}
IN_SHORT: Final = {
    "id": ROUND_ID,
    "round": DOCUMENT["round"],
    "table": "bac-1",
    "rules": "baccarat/1",
    "game_code": "#21:10:10",
    "session": "M000000000000001",
    "opened_at": "2026-11-21T21:10:10.000Z",
    "closed_at": "2026-11-21T21:10:25.000Z",
    "ended_at": "2026-11-21T21:11:02.000Z",
    "received_at": "2026-11-21T21:11:04.120Z",
    "status": "settled",
    "anomalies": [],
    "settlement": 1,
    "bet_count": 1,
    "staked_cents": 1_000,
    "payout_cents": 2_000,
    "links": LINKS,
}
BETS: Final = {
    "data": [
        {
            "number": 0,
            "id": "b1",
            "customer": "p-8731",
            "participation": "N000000000000001",
            "box": None,
            "kind": "player",
            "play": "",
            "funding": "cash",
            "behind": False,
            "follows": True,
            "placed_at": "2026-11-21T21:10:15.000Z",
            "stake_cents": 1_000,
            "raised_cents": 0,
            "reported_cents": None,
            "outcome": "win",
            "payout_cents": 2_000,
            "chips_cents": 0,
            "reasons": [
                {
                    "rule": "player_wins",
                    "sheet": "BAC",
                    "heading": "Pagamenti",
                    "title": "Player wins",
                    "summary": "A bet on Player is paid 1:1.",
                }
            ],
            "explanation": [
                {"text": "Player has 9, Banker has 7.", "rule": None, "adds_cents": 0},
                {"text": "Player wins.", "rule": "player_wins", "adds_cents": 2_000},
            ],
        }
    ],
    "next": None,
}
_EVENT: Final = {
    "id": "019aa88b-52d8-7000-8000-000000000001",
    "at": "2026-11-21T21:11:04.120Z",
    "action": "ROUND_RECEIVED",
    "text": "Received",
    "actor": "Live Studio (key xxxxxxxxxxxx)",
}
TIMELINE: Final = {"data": [_EVENT], "next": None}
ROUND: Final = {
    **IN_SHORT,
    "shoe": DOCUMENT["shoe"],
    "cards": DOCUMENT["cards"],
    "multipliers": None,
    "bonus": None,
    "disconnects": [],
    "incident": None,
    "settlements": [
        {
            "sequence": 1,
            "kind": "settled",
            "rules": "baccarat/1",
            "settled_at": "2026-11-21T21:11:04.310Z",
            "reason": None,
            "bonus": None,
            "staked_cents": 1_000,
            "payout_cents": 2_000,
            "chips_cents": 0,
            "actor": "worker",
            "approved_by": None,
        }
    ],
    "bets": BETS,
    "timeline": [_EVENT],
}
RECEIPT: Final = {
    "receipt": "sabot receipt/1",
    "round": DOCUMENT["round"],
    "records": [{"proof": "sabot inclusion/1", "leaf_index": 4711, "path": []}],
}
NOT_IN_LOG: Final = {
    "type": "/api/v1/problems/not-in-log",
    "title": "It is not in the signed log yet",
    "status": 409,
    "detail": "That takes seconds. Ask again after those that Retry-After says.",
    "instance": "urn:uuid:2f0a3c6e-52a5-4d0e-9a3e-0d4c1f8f4d11",
    "errors": [],
}
