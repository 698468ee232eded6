"""Examples of a dispute, for the description of the API."""

from typing import Any, Final

from payouts.api.disputes.finding_example import FINDING
from payouts.api.rounds.examples import DOCUMENT
from payouts.api.rounds.examples import IN_SHORT as ROUND

_ADDRESS: Final = "/api/v1/disputes/D-0001"
_PROGRAM: Final = "Customer service (key xxxxxxxxxxxx)"
ASKED: Final = {
    "round": DOCUMENT["round"],
    "bet": "b1",
    "customer": "p-8731",
    "reason": "wrong_payout",
    "claimed_cents": 1_000,
    "text": "I had Player and it won.",
    "language": "it",
}
IN_SHORT: Final[dict[str, Any]] = {
    "id": "D-0001",
    "state": "upheld",
    "due_at": "2026-12-09T23:00:00.000Z",
    "overdue": False,
    "round": {
        name: ROUND[name]
        for name in ("id", "round", "table", "rules", "game_code", "session", "opened_at")
    },
    "customer": "p-8731",
    "bet_number": 0,
    "opened_by": "key",
    "reason": "wrong_payout",
    "claimed_cents": 1_000,
    "language": "it",
    "opened_at": "2026-11-22T07:28:52.543Z",
    "owner": "Giulia Neri",
    "links": {
        "self": _ADDRESS,
        "steps": f"{_ADDRESS}/steps",
        "evidence": f"{_ADDRESS}/evidence",
        "dossiers": f"{_ADDRESS}/dossiers",
        "round": ROUND["links"]["self"],
    },
}
_CITED: Final = [{"sheet": "BAC", "heading": "Regole del baccarat"}]
WHOLE: Final[dict[str, Any]] = {
    **IN_SHORT,
    "text": ASKED["text"],
    "actor": _PROGRAM,
    "step": 3,
    "question": None,
    "decision": {
        "verdict": "upheld",
        "text": "The cards show that Player won.",
        "citations": _CITED,
        "at": "2026-11-25T09:12:40.001Z",
        "step": 3,
        "actor": "Giulia Neri",
    },
    "remedy": {
        "case": "M-0007",
        "kind": "malfunction",
        "stage": "proposed",
        "step": 3,
        "executed_at": None,
    },
    "evidence_count": 1,
    "finding": FINDING,
}
ASKED_PROPOSAL: Final[dict[str, Any]] = {
    "verdict": "upheld",
    "text": "The cards show that Player won.",
    "citations": _CITED,
    "way": "resettle",
    "remedy_words": "The round was void by mistake: settle it by its rules.",
}
PROPOSAL: Final[dict[str, Any]] = {
    "id": 1,
    **ASKED_PROPOSAL,
    "step": 2,
    "at": "2026-11-25T09:02:11.500Z",
    "actor": _PROGRAM,
    "links": {"self": "/api/v1/disputes/D-0001/proposals/1"},
}
STEP: Final = {
    "sequence": 3,
    "action": "upheld",
    "at": "2026-11-25T09:12:40.001Z",
    "text": "The cards show that Player won.",
    "citations": _CITED,
    "reference": None,
    "on_day": None,
    "due_at": "2026-12-09T23:00:00.000Z",
    "actor": "Giulia Neri",
}
LETTER: Final = {"reference": "ADR 12/2026", "on_day": "2026-12-01", "text": ""}
_SHA256: Final = "0716f9264c9fe19f5d7455276107f3ddcc1d3497f63d60689a73558ae8a1bf5e"
EVIDENCE: Final = {
    "sha256": _SHA256,
    "name": "statement.pdf",
    "content_type": "application/pdf",
    "bytes": 9,
    "added_at": "2026-11-22T07:30:01.120Z",
    "actor": _PROGRAM,
    "links": {"self": f"{_ADDRESS}/evidence/{_SHA256}"},
}
PROOF: Final = {
    "proof": "sabot inclusion/1",
    "record": '{"action":"ROUND_SETTLED",…}',
    "leaf_index": 4711,
    "path": ["9d963d275b759b4e6bb5db6abfde5b1760adf38608bd7619b49be368fd4b4b0a"],
    "head": {"size": 4712},
    "public_key": "4ad572337867f71eb833e164a81139dc929cb9a8596c438520bd6d6b976b6280",
}
MOVED: Final = {
    "type": "/api/v1/problems/dispute-moved",
    "title": "The dispute has changed since it was read",
    "status": 412,
    "detail": "Read the dispute again, decide anew, and send its new ETag as If-Match.",
    "instance": "urn:uuid:2f0a3c6e-52a5-4d0e-9a3e-0d4c1f8f4d11",
    "errors": [
        {
            "field": "header:If-Match",
            "found": '"ec63a03e3df748ab656ee516f7f4a61b"',
            "needed": '"0b0f62ee2a8d4a1cbbd6a5a9f5dd0c11"',
        }
    ],
}
