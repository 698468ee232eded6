"""The reports that read the audit trail: significant events, and alterations."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from compliance.exports.models import BundleStep
from compliance.exports.reports.alterations import ALTERATIONS, OTHERS, SETTLED_AGAIN
from compliance.exports.reports.significant_events import EVENTS, SIGNIFICANT_EVENTS
from compliance.exports.scope import Scope
from compliance.exports.services.set_tax_rate import set_tax_rate
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from payouts.cases.remedies import Remedy
from payouts.models import CaseStep, ReconcileDifference
from payouts.services.keep_reasons import Wording, add_reason, change_reason
from rounds.models import Table
from rounds.rules.ruling import Ruling
from rounds.services.change_table import change_table
from rounds.services.limit_stakes import limit_stakes
from tests.casino_in_play import NOW, ingest, settle
from tests.documents import baccarat_round, lines
from tests.exports.days import CLERK, DAY, dealt, times
from tests.exports.reporting import THE_DAY, some, told
from tests.payouts.cases.deciding import NO_EXTRA_CARD, decided
from tests.payouts.days.midnight import reconcile_at
from tests.payouts.two import LORENZO, REASON, resettle, void

NEXT: Final = DAY + timedelta(days=1)
EVER: Final = Scope(date(1970, 1, 1), date(9999, 12, 30))
PACKAGES: Final = ("casino", "compliance", "payouts", "rounds")
NAMES_THEM: Final = ("compliance/exports/reports", "payouts/pages/words.py")
"""Code that only reads what others recorded."""


def record(
    action: str, subject: str, details: Mapping[str, Any] | None = None, *, at: datetime = NOW
) -> None:
    """One record of the trail."""
    with transaction.atomic():
        record_entries([Entry(action, subject, details or {})], at=at, actor=CLERK)


def recorded_words() -> set[str]:
    """Every action that the code writes, and other words in capitals."""
    said = {f"CASE_{action.upper()}" for action in CaseStep.Action.values}
    said |= {f"BUNDLE_{action.upper()}" for action in BundleStep.Action.values}
    for package in PACKAGES:
        for path in sorted(Path(settings.BASE_DIR, package).rglob("*.py")):
            if not path.relative_to(settings.BASE_DIR).as_posix().startswith(NAMES_THEM):
                said.update(re.findall(r'"([A-Z][A-Z_]+)"', path.read_text()))
    return said


class TestWhatIsListed:
    def test_is_recorded_somewhere(self) -> None:
        """By the very word; a report of what nobody records would always be empty."""
        assert {*EVENTS, *SETTLED_AGAIN, *OTHERS} <= recorded_words()

    def test_has_its_alterations_among_its_events(self) -> None:
        """Whatever was altered was an event."""
        assert {*SETTLED_AGAIN, *OTHERS} <= EVENTS.keys()


class TestSignificantEvents:
    def test_are_the_records_of_the_day_but_for_play_itself(self, day: None) -> None:
        """In the order of the trail, with everything else that is on record left out."""
        ingest(lines(baccarat_round("r-5", **times(15), incident="malfunction")))
        settle()
        decided("correction", "r-2", remedy=Remedy.CORRECT, ruling=NO_EXTRA_CARD)

        found = some(told(SIGNIFICANT_EVENTS), "record", "action", "subject", "actor")

        on_record = AuditRecord.objects.order_by("id").exclude(action="ROUND_RECEIVED")
        expected = [
            (str(one.id), one.action, one.subject, one.actor)
            for one in on_record
            if one.action != "ROUND_SETTLED" or one.details["kind"] == "void"
        ]
        assert found == expected
        assert {one[2] for one in found if one[1] == "ROUND_SETTLED"} == {"round:r-5"}
        assert {"ROUND_HELD", "CASE_APPROVED", "ROUND_RULED"} <= {one[1] for one in found}

    def test_say_in_short_what_happened_who_approved_and_why(self, day: None) -> None:
        """A held round and a cancelled one."""
        rows = told(SIGNIFICANT_EVENTS)

        assert some(rows, "action", "details", "approved_by", "reason") == [
            ("ROUND_HELD", 'anomalies ["extra-card"]', None, None),
            (
                "ROUND_VOIDED",
                "settlement 2; kind void",
                "Lorenzo Ferri",
                "The reader read cards twice.",
            ),
        ]

    def test_have_a_reason_of_the_list_by_its_code(self, day: None) -> None:
        """With the note that was left beside it."""
        said = {"reason": {"code": "smoke"}, "note": "Fire?", "rounds": 2}
        record("TABLE_SUSPENDED", "table:bac-1", said)

        [row] = [one for one in told(SIGNIFICANT_EVENTS) if one["action"] == "TABLE_SUSPENDED"]
        assert (row["reason"], row["details"]) == ("smoke: Fire?", "rounds 2")

    def test_hold_reconciliations_that_found_something(self, day: None) -> None:
        """One that agrees is no event."""
        reconcile_at(NOW)
        assert "RECONCILED" not in {row["action"] for row in told(SIGNIFICANT_EVENTS, EVER)}

        record("RECONCILED", "reconciliation:9", {"differences": 10, "from": None, "to": None})

        [row] = [one for one in told(SIGNIFICANT_EVENTS) if one["action"] == "RECONCILED"]
        assert row["details"] == "differences 10"
        assert not ReconcileDifference.objects.exists()

    def test_are_of_the_calendar_day_in_rome(self, day: None) -> None:
        """Midnight is 23:00 in winter and 22:00 in summer, UTC."""
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
            rows = told(SIGNIFICANT_EVENTS, Scope(day, day))
            return [row["subject"] for row in rows if row["action"] == "LOG_KEY_CHANGED"]

        assert keys_of(DAY) == ["key:11-20 23", "key:11-21 22"]
        assert keys_of(NEXT) == ["key:11-21 23"]
        assert keys_of(date(2026, 7, 9)) == ["key:07-09 21"]
        assert keys_of(date(2026, 7, 10)) == ["key:07-09 22"]

    def test_take_whatever_text_was_recorded(self, day: None) -> None:
        r"""A NUL, which the database's JSON has not; and the text ``\u0000``, which has none."""
        for text in ("a\0b", "\0", "a\\u0000b", "\\\\u0000", "\\\0"):
            record("DOCUMENT_QUARANTINED", "feed:x", {"line": 3, "reason": text})

        found = [row["reason"] for row in told(SIGNIFICANT_EVENTS) if row["subject"] == "feed:x"]
        assert found == ["a�b", "�", "a\\u0000b", "\\\\u0000", "\\�"]

    def test_are_those_of_rounds_where_something_is_asked_for(self, day: None) -> None:
        """The table has its own events beside them; a person's are those of the own rounds."""
        change(name="Table one")
        record("LOG_KEY_CHANGED", "key:1")
        void("r-3", after=1)

        def subjects(**filters: Any) -> set[str]:  # noqa: ANN401
            rows = told(SIGNIFICANT_EVENTS, THE_DAY._replace(**filters))
            return {row["subject"] for row in rows}

        rounds = {"round:r-2", "round:r-3", "round:r-4"}
        assert subjects() == {*rounds, "table:bac-1", "key:1"}
        assert subjects(table="bac-1") == {*rounds, "table:bac-1"}
        assert subjects(game="baccarat") == subjects(rules="baccarat/1") == rounds
        assert subjects(table="bac-1", game="baccarat") == rounds
        assert subjects(customer="p-2") == {"round:r-2", "round:r-4"}


class TestAlterationsOfRounds:
    def test_say_what_was_paid_before_and_after_and_who_decided(self, day: None) -> None:
        """r-4 was cancelled; now the void is undone."""
        resettle("r-4", after=2, at=NOW + timedelta(minutes=9))

        rows = told(ALTERATIONS)

        assert some(rows, "subject", "field", "before", "after") == [
            ("round:r-4", "kind", "settled", "void"),
            ("round:r-4", "paid", "25.00", "22.00"),
            ("round:r-4", "settlement", "1", "2"),
            ("round:r-4", "kind", "void", "settled"),
            ("round:r-4", "paid", "22.00", "25.00"),
            ("round:r-4", "settlement", "2", "3"),
        ]
        by = ("before_cents", "after_cents", "actor", "approved_by", "reason", "case")
        decided_by = ("Giulia Marchetti", LORENZO.name)
        assert some([row for row in rows if row["field"] == "paid"], *by) == [
            (2500, 2200, *decided_by, "The reader read cards twice.", None),
            (2200, 2500, *decided_by, REASON, None),
        ]

    def test_say_how_a_held_round_was_read_and_by_which_case(self, day: None) -> None:
        """It paid nothing before; later it is read otherwise once more."""
        case, _done = decided("correction", "r-2", remedy=Remedy.CORRECT, ruling=NO_EXTRA_CARD)
        again = Ruling(cards=NO_EXTRA_CARD.cards, refunded=frozenset({0}))
        resettle("r-2", after=1, ruling=again, at=NOW + timedelta(minutes=9))

        rows = [row for row in told(ALTERATIONS) if row["subject"] == "round:r-2"]

        cards = '{"cards": ["P 4S", "B 7H", "P 5D", "B TC"]}'
        assert some(rows, "case", "field", "before", "after") == [
            (str(case), "kind", None, "settled"),
            (str(case), "paid", None, "25.00"),
            (str(case), "ruling", None, cards),
            (str(case), "settlement", None, "1"),
            (None, "paid", "25.00", "15.00"),
            (None, "ruling", cards, cards.replace("]}", '], "refunded": [0]}')),
            (None, "settlement", "1", "2"),
        ]

    def test_tell_of_one_person_only_that_persons_money(self, day: None) -> None:
        """p-2 lost 10.00 in r-4, and has it back; what else it paid is not told."""
        rows = told(ALTERATIONS, THE_DAY._replace(customer="p-2"))

        assert some(rows, "subject", "field", "before", "after", "after_cents") == [
            ("round:r-4", "kind", "settled", "void", None),
            ("round:r-4", "paid", "0.00", "10.00", 1000),
            ("round:r-4", "settlement", "1", "2", None),
        ]

    def test_stand_on_the_day_on_which_they_were_made(self, day: None) -> None:
        """A round of the day that is cancelled on the next."""
        ingest(lines(dealt("r-5", 15)))
        settle()
        void("r-5", after=1, at=NOW + timedelta(days=1))

        assert {row["subject"] for row in told(ALTERATIONS)} == {"round:r-4"}
        assert {row["subject"] for row in told(ALTERATIONS, Scope(NEXT, NEXT))} == {"round:r-5"}


class TestOtherAlterations:
    def test_are_told_field_by_field(self, day: None) -> None:
        """Only what changed; a limit that was not there before, and one that is gone."""
        table = change(name="Table one")
        first = limit_stakes(
            table_id=table.pk,
            limits={"player": (100, 200), "tie": (100, 300)},
            seen=0,
            at=NOW,
            actor=CLERK,
        )
        assert first is not None
        now_player = {"player": (100, 500)}
        limit_stakes(table_id=table.pk, limits=now_player, seen=first.pk, at=NOW, actor=CLERK)

        assert fields("table:bac-1") == [
            ("name", "bac-1", "Table one"),
            ("player", None, "[100, 200]"),
            ("tie", None, "[100, 300]"),
            ("player", "[100, 200]", "[100, 500]"),
            ("tie", "[100, 300]", None),
        ]

    def test_of_tax_rates_name_the_rate_that_held(self, day: None) -> None:
        """That of the same game which had begun by then, whenever it was set."""
        for first, rate in ((10, 300), (1, 100), (5, 200), (5, 250)):
            begins = date(2026, 11, first)
            set_tax_rate(
                game="baccarat", in_force_from=begins, per_million=rate, at=NOW, actor=CLERK
            )
        set_tax_rate(game="", in_force_from=DAY, per_million=9, at=NOW, actor=CLERK)

        assert fields("tax:baccarat") == [
            ("per_million", None, "300"),
            ("per_million", None, "100"),
            ("per_million", "100", "200"),
            ("per_million", "200", "250"),
        ]
        assert fields("tax:all") == [("per_million", None, "9")]

    def test_of_reasons_name_their_words(self, day: None) -> None:
        """Adding one alters nothing."""
        words = Wording("Fumo", "Smoke", needs_regulator=False, is_active=True)
        reason = add_reason(code="smoke", purpose="refund", said=words, at=NOW, actor=CLERK)
        changed = words._replace(text_en="Smoke in the studio", is_active=False)
        change_reason(reason_id=reason.pk, said=changed, seen=1, at=NOW, actor=CLERK)

        assert fields("reason:smoke") == [
            ("is_active", "true", "false"),
            ("text_en", "Smoke", "Smoke in the studio"),
        ]

    def test_of_people_name_their_accounts_and_roles(self, day: None) -> None:
        """As the pages record them."""
        standing = {"username": "conti", "is_active": True, "roles": ["auditor"]}
        roles = {"before": ["auditor"], "after": ["auditor", "payments"]}
        for action, details in (
            ("ACCOUNT_CREATED", {"after": standing}),
            ("ROLES_CHANGED", roles),
            ("ACCOUNT_CLOSED", {}),
            ("ACCOUNT_REOPENED", {}),
            ("PASSWORD_RESET", {}),
        ):
            record(action, "user:7", {**details, "account": "conti", "address": "10.0.0.1"})

        assert fields("user:7") == [
            ("is_active", None, "true"),
            ("roles", None, '["auditor"]'),
            ("username", None, "conti"),
            ("roles", '["auditor"]', '["auditor", "payments"]'),
            ("is_active", "true", "false"),
            ("is_active", "false", "true"),
        ]
        assert {row["account"] for row in told(ALTERATIONS)} == {None, "conti"}


def fields(subject: str) -> list[tuple[Any, ...]]:
    """What changed about something, in order."""
    rows = [row for row in told(ALTERATIONS) if row["subject"] == subject]
    return some(rows, "field", "before", "after")


def change(*, name: str) -> Table:
    """The table gets another name."""
    table = Table.objects.get(code="bac-1")
    return change_table(
        table_id=table.pk, name=name, rules=table.rules, seen=1, at=NOW, actor=CLERK
    )
