"""The example of a finding: the round of the other examples, which was void by mistake."""

from typing import Any, Final

from payouts.api.rounds.examples import ROUND_ID

_RECORD: Final = "01a2001f-9700-7000-8000-000001000000"
_SHA256: Final = "4ad572337867f71eb833e164a81139dc929cb9a8596c438520bd6d6b976b6280"
FINDING: Final[dict[str, Any]] = {
    "finding": "sabot finding/1",
    "sha256": "4b29d7704c8d4b78275d2c60ddd429b47d20318b35fc1a79103c441affc914cd",
    "round": {
        "id": ROUND_ID,
        "reference": "bac-1-20261121-211010",
        "code": "#21:10:10",
        "table": "bac-1",
        "rules": "baccarat/1",
        "rules_sha256": _SHA256,
        "opened_at": "2026-11-21T21:10:10+00:00",
        "aams_session": "M000000000000001",
        "malfunction": False,
        "cards": ["P 4S", "B 7H", "P 5D", "B TC"],
        "document_sha256": "cdd45c912a2f8429e489bf3f4b57a6c9b660087b713936175b390a6b5f31301a",
    },
    "status": "void",
    "anomalies": [],
    "settlements": [
        {
            "sequence": 2,
            "kind": "void",
            "at": "2026-11-21T22:00:00+00:00",
            "actor": "Giulia Neri",
            "approved_by": "Lorenzo Sala",
            "reason": "The shuffler stood still.",
            "payout_cents": 1_000,
            "results_sha256": "9d963d275b759b4e6bb5db6abfde5b1760adf38608bd7619b49be368fd4b4b0a",
        }
    ],
    "replay": {
        "status": "settled",
        "anomalies": [],
        "refused": "",
        "agrees": False,
        "ruling_agrees": None,
    },
    "bets": [
        {
            "number": 0,
            "reference": "b1",
            "customer": "p-8731",
            "aams_participation": "N000000000000001",
            "kind": "player",
            "box": None,
            "staked_cents": 1_000,
            "golden": False,
            "placed_at": "2026-11-21T21:10:15+00:00",
            "reported_cents": None,
            "settled": {
                "outcome": "void",
                "payout_cents": 1_000,
                "chips_cents": 0,
                "reasons": ["cancelled"],
            },
            "rules_give": {
                "outcome": "win",
                "payout_cents": 2_000,
                "chips_cents": 0,
                "reasons": ["player"],
            },
            "steps": [
                {
                    "rule": "player",
                    "sheet": "BAC",
                    "heading": "Regole del baccarat",
                    "text": {
                        "it": "Il Giocatore, con 9 contro 7, è più vicino a nove.",
                        "en": "The Player, with 9 against 7, is nearer to nine.",
                    },
                    "adds_cents": 0,
                }
            ],
            "adds_up": True,
            "siblings": {"count": 3, "bets": None},
        }
    ],
    "readings": [
        {
            "key": "baccarat-decks",
            "title": {
                "it": "Otto mazzi o sei, e quando si mescolano",
                "en": "Eight decks or six, and when they are shuffled",
            },
            "reading": {
                "it": "Otto, in un sabot che continua di turno in turno",
                "en": "Eight, in a shoe that goes on from round to round",
            },
            "why": {"it": "Due passi concordano contro uno.", "en": "Two passages agree."},
        }
    ],
    "records": [
        {
            "id": _RECORD,
            "action": "ROUND_RECEIVED",
            "at": "2026-11-21T22:00:00+00:00",
            "in_log": True,
            "proof": f"/api/v1/disputes/D-0001/proofs/{_RECORD}",
        }
    ],
    "earlier": None,
}
