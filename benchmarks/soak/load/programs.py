"""Programs of the operator: they read rounds, and dispute them in the name of customers."""

import time
from typing import Any, Final

from benchmarks.soak.histories import note_round
from benchmarks.soak.load.calls import Lane, Setting, Site

_ROUNDS: Final = "/api/v1/rounds"
_DISPUTES: Final = "/api/v1/disputes"
_OK: Final = 200
_CREATED: Final = 201
_REFUSED: Final = (404, 409, 422, 429)
_PDF: Final = b"%PDF-1.7\n"
_REASONS: Final = ("wrong_payout", "wrong_cards", "malfunction", "late_bet")


class Readers(Lane):
    """Reads lists, rounds, receipts, histories and events."""

    def __init__(self, setting: Setting, *, pause_seconds: float) -> None:
        super().__init__("readers", setting, pause_seconds=pause_seconds)
        self._site = Site(self, with_token=True)

    def step(self) -> None:
        """One list, and what it leads to."""
        self._site.next_host()
        status = self.chance.choice(["settled", "held", "settled"])
        rounds = self._read(f"{_ROUNDS}?limit=20&status={status}", what="GET rounds")["data"]
        self._read("/api/v1/events?limit=50", what="GET events")
        if not rounds:
            return
        one = self.chance.choice(rounds)
        began = time.time()
        detail = self._read(f"{_ROUNDS}/{one['id']}", what="GET a round")
        note_round(self.notes.history, detail, began=began)
        self._read(f"{_ROUNDS}/{one['id']}/timeline", what="GET a timeline")
        if detail["bets"]["data"]:
            customer = detail["bets"]["data"][0]["customer"]
            self._read(f"/api/v1/customers/{customer}/history", what="GET a history")
        self.notes.count("rounds read")

    def _read(self, path: str, *, what: str) -> Any:
        answer = self._site.call("GET", path, what=f"api {what}")
        if answer.status_code != _OK:
            raise RuntimeError(f"{what}: {answer.status_code} {answer.text[:300]}")
        return answer.json()


class Customers(Lane):
    """Customers dispute settled rounds with tokens of their own, and add evidence."""

    def __init__(self, setting: Setting, *, pause_seconds: float) -> None:
        super().__init__("customers", setting, pause_seconds=pause_seconds)
        self._service = Site(self, with_token=True)
        self._own = Site(self)
        self._number = 0
        self.opened: set[str] = set()
        """The disputes that were acknowledged."""
        self.evidence = 0
        """Files that were acknowledged."""

    def step(self) -> None:
        """A dispute about a bet, with evidence; read again by the customer."""
        self._number += 1
        rounds = self._call("GET", f"{_ROUNDS}?limit=50&status=settled", what="GET rounds").json()
        if not rounds["data"]:
            return
        row = self.chance.choice(rounds["data"])
        bets = self._call("GET", f"{_ROUNDS}/{row['id']}/bets?limit=5", what="GET bets").json()
        bet = self.chance.choice(bets["data"])
        wanted = {"customer": bet["customer"], "minutes": 30}
        path = "/api/v1/customer-tokens"
        token = self._call("POST", path, what="POST a customer's token", json=wanted).json()
        self._own.use_token(token["token"])
        self._dispute(row, bet)

    def _dispute(self, row: Any, bet: Any) -> None:
        fields = {
            "round": row["id"],
            "bet": bet["id"],
            "reason": self.chance.choice(_REASONS),
            "text": "La puntata è stata liquidata in modo diverso da quanto visto.",
            "claimed_cents": bet["stake_cents"],
        }
        once = {"Idempotency-Key": f"soak-dispute-{self._number}"}
        answer = self._own.call(
            "POST", _DISPUTES, what="api POST a dispute", json=fields, headers=once, is_kept=True
        )
        if answer.status_code in _REFUSED:  # the bet is disputed already
            self.notes.count("disputes refused")
            return
        if answer.status_code not in (_OK, _CREATED):
            raise RuntimeError(f"POST a dispute: {answer.status_code} {answer.text[:300]}")
        dispute = answer.json()["id"]
        self.opened.add(dispute)
        self.notes.count("disputes opened")
        headers = {
            "Content-Type": "application/pdf",
            "Idempotency-Key": f"soak-evidence-{self._number}",
        }
        path = f"{_DISPUTES}/{dispute}/evidence?name=statement.pdf"
        content = _PDF + str(self._number).encode()
        added = self._own.call(
            "POST", path, what="api POST evidence", data=content, headers=headers, is_kept=True
        )
        self.evidence += added.status_code == _CREATED
        self._own.call("GET", f"{_DISPUTES}/{dispute}", what="api GET a dispute")

    def _call(self, method: str, path: str, *, what: str, **options: Any) -> Any:
        self._service.next_host()
        headers = {"Idempotency-Key": f"soak-{self.chance.random()}"} if method == "POST" else {}
        answer = self._service.call(method, path, what=f"api {what}", headers=headers, **options)
        if answer.status_code not in (_OK, _CREATED):
            raise RuntimeError(f"{what}: {answer.status_code} {answer.text[:300]}")
        return answer
