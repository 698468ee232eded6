"""The report of significant events against the audit records."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from compliance.exports.reports.alterations import OTHERS, SETTLED_AGAIN
from compliance.exports.reports.significant_events import EVENTS, SIGNIFICANT_EVENTS
from compliance.exports.scope import Scope
from compliance.trail.models import AuditRecord
from payouts.cases.remedies import Remedy
from payouts.reconciliation.models import ReconcileDifference
from tests.casino_in_play import NOW, ingest, settle
from tests.compliance.exports.exported_days import DAY, columns_of, times
from tests.compliance.exports.report_rows import THE_DAY, change, read_report, record
from tests.compliance.trail.recorded_actions import recorded_words
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD, decided
from tests.payouts.gaming_days.day_scenarios import reconcile_at
from tests.payouts.settlement.resettlement_scenarios import void

NEXT: Final = DAY + timedelta(days=1)
EVER: Final = Scope(date(1970, 1, 1), date(9999, 12, 30))


class TestWhatIsListed:
    def test_is_recorded_somewhere(self) -> None:
        """Each listed action occurs in the code."""
        assert {*EVENTS, *SETTLED_AGAIN, *OTHERS} <= recorded_words()

    def test_has_its_alterations_among_its_events(self) -> None:
        """Alterations are events."""
        assert {*SETTLED_AGAIN, *OTHERS} <= EVENTS.keys()


class TestSignificantEvents:
    def test_are_the_records_of_the_day_without_play(self, day: None) -> None:
        """In the order of the trail."""
        ingest(lines(baccarat_round("r-5", **times(15), incident="malfunction")))
        settle()
        decided("correction", "r-2", remedy=Remedy.CORRECT, ruling=NO_EXTRA_CARD)

        events = columns_of(read_report(SIGNIFICANT_EVENTS), "record", "action", "subject", "actor")

        on_record = AuditRecord.objects.order_by("id").exclude(action="ROUND_RECEIVED")
        expected = [
            (str(record.id), record.action, record.subject, record.actor)
            for record in on_record
            if record.action != "ROUND_SETTLED" or record.details["kind"] == "void"
        ]
        assert events == expected
        assert {event[2] for event in events if event[1] == "ROUND_SETTLED"} == {"round:r-5"}
        assert {"ROUND_HELD", "CASE_APPROVED", "ROUND_RULED"} <= {event[1] for event in events}

    def test_have_summary_approver_and_reason(self, day: None) -> None:
        """A held round and a cancelled one."""
        rows = read_report(SIGNIFICANT_EVENTS)

        assert columns_of(rows, "action", "details", "approved_by", "reason") == [
            ("ROUND_HELD", 'anomalies ["extra-card"]', None, None),
            (
                "ROUND_VOIDED",
                "settlement 2; kind void",
                "Lorenzo Ferri",
                "The reader read cards twice.",
            ),
        ]

    def test_have_a_reason_of_the_list_by_its_code(self, day: None) -> None:
        """With its note."""
        details = {"reason": {"code": "smoke"}, "note": "Fire?", "rounds": 2}
        record("TABLE_SUSPENDED", "table:bac-1", details)

        [row] = [
            event
            for event in read_report(SIGNIFICANT_EVENTS)
            if event["action"] == "TABLE_SUSPENDED"
        ]
        assert (row["reason"], row["details"]) == ("smoke: Fire?", "rounds 2")

    def test_include_reconciliations_with_differences(self, day: None) -> None:
        """Only those with differences."""
        reconcile_at(NOW)
        assert "RECONCILED" not in {row["action"] for row in read_report(SIGNIFICANT_EVENTS, EVER)}

        record("RECONCILED", "reconciliation:9", {"differences": 10, "from": None, "to": None})

        [row] = [
            event for event in read_report(SIGNIFICANT_EVENTS) if event["action"] == "RECONCILED"
        ]
        assert row["details"] == "differences 10"
        assert not ReconcileDifference.objects.exists()

    def test_are_of_the_calendar_day_in_rome(self, day: None) -> None:
        """In winter and in summer."""
        for at in (
            datetime(2026, 11, 20, 22, 59, 59, 999_999, tzinfo=UTC),
            datetime(2026, 11, 20, 23, tzinfo=UTC),
            datetime(2026, 11, 21, 22, 59, 59, 999_999, tzinfo=UTC),
            datetime(2026, 11, 21, 23, tzinfo=UTC),
            datetime(2026, 7, 9, 21, 59, 59, 999_999, tzinfo=UTC),
            datetime(2026, 7, 9, 22, tzinfo=UTC),
        ):
            record("LOG_KEY_CHANGED", f"key:{at:%m-%d %H}", at=at)

        def keys_of(day: date) -> list[str]:
            rows = read_report(SIGNIFICANT_EVENTS, Scope(day, day))
            return [row["subject"] for row in rows if row["action"] == "LOG_KEY_CHANGED"]

        assert keys_of(DAY) == ["key:11-20 23", "key:11-21 22"]
        assert keys_of(NEXT) == ["key:11-21 23"]
        assert keys_of(date(2026, 7, 9)) == ["key:07-09 21"]
        assert keys_of(date(2026, 7, 10)) == ["key:07-09 22"]

    def test_accept_any_recorded_text(self, day: None) -> None:
        """NUL characters included."""
        for text in ("a\0b", "\0", "a\\u0000b", "\\\\u0000", "\\\0"):
            record("DOCUMENT_QUARANTINED", "feed:x", {"line": 3, "reason": text})

        reasons = [
            row["reason"] for row in read_report(SIGNIFICANT_EVENTS) if row["subject"] == "feed:x"
        ]
        assert reasons == ["a�b", "�", "a\\u0000b", "\\\\u0000", "\\�"]

    def test_are_those_of_rounds_in_the_scope(self, day: None) -> None:
        """Events of a customer are those of the own rounds."""
        change(name="Table one")
        record("LOG_KEY_CHANGED", "key:1")
        void("r-3", after=1)

        def subjects(**filters: Any) -> set[str]:
            rows = read_report(SIGNIFICANT_EVENTS, THE_DAY._replace(**filters))
            return {row["subject"] for row in rows}

        rounds = {"round:r-2", "round:r-3", "round:r-4"}
        assert subjects() == {*rounds, "table:bac-1", "key:1"}
        assert subjects(table="bac-1") == {*rounds, "table:bac-1"}
        assert subjects(game="baccarat") == subjects(rules="baccarat/1") == rounds
        assert subjects(table="bac-1", game="baccarat") == rounds
        assert subjects(customer="p-2") == {"round:r-2", "round:r-4"}
