"""The compliance officer's day: reconciling, closing days, exports, files; visits of pages."""

import re
from datetime import datetime, timedelta
from typing import Final

from benchmarks.soak.load.calls import Lane, Setting
from benchmarks.soak.load.desk import Desk, Person, fields_of
from rounds.gaming_day import ROME

_DAY: Final = re.compile(r"/admin/days/(\d{4}-\d\d-\d\d)/")
_CLOSED: Final = "Gaming day closed."
_PAGES: Final = (
    "/admin/",
    "/admin/rounds/round/",
    "/admin/rounds/round/?status=held",
    "/admin/cases/",
    "/admin/disputes/",
    "/admin/days/",
    "/admin/stuck/",
    "/admin/board/",
    "/admin/trail/auditrecord/",
    "/admin/payouts/reconcilerun/",
)


class Days(Lane):
    """Compliance reconciles, closes the days that are over, and asks for exports and files."""

    def __init__(self, setting: Setting, person: Person, *, pause_seconds: float) -> None:
        super().__init__("days", setting, pause_seconds=pause_seconds)
        self._officer = Desk(self, person)
        self.closed: set[str] = set()
        """Days whose closing was answered."""

    def step(self) -> None:
        """A reconciliation; with that of before, the next day; an export; a file."""
        self._close_next()
        self._export(str(datetime.now(ROME).date() - timedelta(days=1)))
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
            answer = self._officer.send(path, fields, what="POST a closing")
            if answer is not None and _CLOSED in answer.text:
                self.closed.add(day)
                self.notes.count("days closed")
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

    def __init__(self, setting: Setting, person: Person, *, pause_seconds: float) -> None:
        super().__init__("visits", setting, pause_seconds=pause_seconds)
        self._desk = Desk(self, person)

    def step(self) -> None:
        """A page."""
        path = self.chance.choice(_PAGES)
        self._desk.page(path, what=f"GET {path.partition('?')[0]}")
        self.notes.count("pages visited")
