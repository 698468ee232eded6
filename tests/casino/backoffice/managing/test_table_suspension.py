"""Tables are suspended and resumed with a reason."""

from django.test import Client

from compliance.trail.models import AuditRecord
from payouts.cases.manage_reasons import change_reason, wording_of
from payouts.cases.models import Reason
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound, TableSuspension
from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.managing.table_pages import LIST, address, page_of_table, plain
from tests.casino_in_play import NOW, by_now, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import LORENZO


class TestASuspension:
    def test_is_shown_wherever_a_round_waits(self, supervisor: Client) -> None:
        """In the list, on the table, the waiting rounds and the round, until it ends."""
        table = open_table()
        fields = {"seen": 0, "reason": "equipment", "note": "camera 3"}

        supervisor.post(address(table, "suspend/"), fields)
        TableSuspension.objects.get()
        ingest(lines(baccarat_round("r-1", **late())))
        settle()
        waiting = f"/admin/rounds/queuedround/{QueuedRound.objects.get().pk}/change/"
        pages = (LIST, page_of_table(table), "/admin/rounds/queuedround/", waiting, page_of("r-1"))
        output = [plain(supervisor.get(page).content) for page in pages]
        supervisor.post(address(table, "resume/"), {"seen": 1, "note": "checked"})
        settle(at=by_now())

        assert all("Equipment to be checked" in words for words in output)
        assert "when the table is resumed" in output[2]
        assert Settlement.objects.count() == 1
        assert "badge-amber" not in supervisor.get(LIST).content.decode()
        record = AuditRecord.objects.get(action="TABLE_RESUMED")
        assert (record.details["note"], record.details["sequence"]) == ("checked", 2)

    def test_needs_a_reason_that_is_in_use(self, supervisor: Client) -> None:
        """Unused reasons and those of other purposes are refused."""
        table = open_table()
        reason = Reason.objects.get(code="equipment")
        retired = wording_of(reason)._replace(is_active=False)
        change_reason(code=reason.code, wording=retired, seen=1, at=NOW, actor=LORENZO)

        for code in ("equipment", "service-failure", "", "x\0"):
            supervisor.post(address(table, "suspend/"), {"seen": 0, "reason": code})

        assert not TableSuspension.objects.exists()

    def test_by_a_second_person_is_refused(self, supervisor: Client) -> None:
        """The page names who suspended the table."""
        table = open_table()
        fields = {"seen": 0, "reason": "equipment"}
        supervisor.post(address(table, "suspend/"), fields)

        page = supervisor.post(address(table, "suspend/"), fields, follow=True).content

        assert "supervisor already updated this item (Suspended" in plain(page)
        assert TableSuspension.objects.count() == 1

    def test_cannot_end_without_a_reason(self, supervisor: Client) -> None:
        """The form requires it."""
        table = open_table()
        supervisor.post(address(table, "suspend/"), {"seen": 0, "reason": "equipment"})

        page = supervisor.post(address(table, "resume/"), {"seen": 1, "note": " "}, follow=True)

        assert "Enter a reason for resuming the table" in plain(page.content)
        assert TableSuspension.objects.count() == 1


def late() -> dict[str, str]:
    """The times of a round that is played after everything in the test."""
    day = "2099-11-21T21"
    bets = [{**bet, "placed_at": f"{day}:10:15Z"} for bet in baccarat_round("r")["bets"]]
    times = {
        "opened_at": f"{day}:10:10Z",
        "closed_at": f"{day}:10:25Z",
        "ended_at": f"{day}:11:02Z",
    }
    return {**times, "bets": bets}  # type: ignore[dict-item]
