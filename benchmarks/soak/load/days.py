"""The compliance officer's day: reconciling, closing days, exports, list files; and visits of pages."""

import re
from random import Random
from typing import Final

from benchmarks.soak.load.calls import Lane, Notes
from benchmarks.soak.load.desk import Desk, fields_of
from benchmarks.soak.people import People

_DAY: Final = re.compile(r"/admin/days/(\d{4}-\d\d-\d\d)/")
_PAGES: Final = (
    "/admin/",
    "/admin/rounds/round/",
    "/admin/rounds/round/?status=held",
    "/admin/cases/",
    "/admin/disputes/",
    "/admin/days/",
    "/admin/exports/",
    "/admin/stuck/",
    "/admin/board/",
    "/admin/trail/auditrecord/",
    "/admin/payouts/reconcilerun/",
)


class Days(Lane):
    """Compliance reconciles, closes the days that are over, and asks for exports and files."""

    def __init__(
        self, people: People, *, notes: Notes, addresses: list[str], pause_seconds: float
    ) -> None:
        super().__init__("days", notes=notes, pause_seconds=pause_seconds)
        name = "compliance"
        self._officer = Desk(
            self, addresses, name=name, password=people.passwords[name], phone=people.phones[name]
        )
        self.closed: set[str] = set()
        """Days whose closing was answered."""

    def step(self) -> None:
        """A reconciliation; with that of before, the next day; an export; a file."""
        self._close_next()
        self._officer.page("/admin/payouts/reconcilerun/", what="reconciliations")
        if self._officer.send("/admin/reconciliations/now/", {}, what="POST a reconciliation"):
            self.notes.count("reconciliations begun")
        listed = self._officer.page("/admin/trail/auditrecord/?format=csv", what="a list file")
        self.notes.count("list files asked for", int("/admin/lists/files/" in listed))

    def _close_next(self) -> None:
        days = sorted(set(_DAY.findall(self._officer.page("/admin/days/", what="days"))))
        for day in days:
            path = f"/admin/days/{day}/close/"
            if day in self.closed:
                continue
            page = self._officer.page(path, what="a closing")
            shown = fields_of(page)
            if "held_rounds" not in shown:
                continue
            fields: dict[str, object] = {"acknowledged": "on"}
            for name in ("held_rounds", "held_cents", "first", "last"):
                if name in shown:
                    fields[name] = shown[name]
            answer = self._officer.send(path, fields, what="POST a closing", confirms=True)
            if answer is not None and "/close/" not in answer.url:
                self.closed.add(day)
                self.notes.count("days closed")
                self._export(day)
            return

    def _export(self, day: str) -> None:
        fields: dict[str, object] = {
            "contents": "registers",
            "first_day": day,
            "last_day": day,
            "reason": "soak",
        }
        if self._officer.send("/admin/exports/new/", fields, what="POST an export"):
            self.notes.count("exports asked for")


class Visits(Lane):
    """Somebody of payments: one page after the other."""

    def __init__(
        self, people: People, *, notes: Notes, addresses: list[str], seed: int, pause_seconds: float
    ) -> None:
        super().__init__("visits", notes=notes, pause_seconds=pause_seconds)
        name = "payments"
        self._desk = Desk(
            self, addresses, name=name, password=people.passwords[name], phone=people.phones[name]
        )
        self._chance = Random(f"{seed} visits")

    def step(self) -> None:
        """A page."""
        path = self._chance.choice(_PAGES)
        self._desk.page(path, what=f"GET {path.partition('?')[0]}")
        self.notes.count("pages visited")
