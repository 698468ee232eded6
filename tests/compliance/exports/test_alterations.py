"""The report of alterations: rounds, tables, limits, rates, reasons, people."""

from datetime import date, timedelta
from typing import Any, Final

from compliance.exports.reports.alterations import ALTERATIONS
from compliance.exports.scope import Scope
from compliance.exports.services.set_tax_rate import set_tax_rate
from payouts.cases.manage_reasons import Wording, add_reason, change_reason
from payouts.cases.remedies import Remedy
from rounds.rules.ruling import Ruling
from rounds.services.limit_stakes import limit_stakes
from tests.casino_in_play import FLOOR, NOW, ingest, settle
from tests.compliance.exports.exported_days import CLERK, DAY, columns_of, dealt
from tests.compliance.exports.report_rows import THE_DAY, change, read_report, record
from tests.documents import lines
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD, decided
from tests.payouts.settlement.resettlement_scenarios import LORENZO, REASON, resettle, void

NEXT: Final = DAY + timedelta(days=1)


class TestAlterationsOfRounds:
    def test_have_former_and_new_payouts_and_the_deciders(self, day: None) -> None:
        """r-4 was voided, then settled again."""
        resettle("r-4", after=2, at=NOW + timedelta(minutes=9))

        rows = read_report(ALTERATIONS)

        assert columns_of(rows, "subject", "field", "before", "after") == [
            ("round:r-4", "kind", "settled", "void"),
            ("round:r-4", "paid", "25.00", "22.00"),
            ("round:r-4", "settlement", "1", "2"),
            ("round:r-4", "kind", "void", "settled"),
            ("round:r-4", "paid", "22.00", "25.00"),
            ("round:r-4", "settlement", "2", "3"),
        ]
        by = ("before_cents", "after_cents", "actor", "approved_by", "reason", "case")
        decided_by = ("Giulia Marchetti", LORENZO.name)
        assert columns_of([row for row in rows if row["field"] == "paid"], *by) == [
            (2500, 2200, *decided_by, "The reader read cards twice.", None),
            (2200, 2500, *decided_by, REASON, None),
        ]

    def test_have_the_ruling_on_a_held_round_and_its_case(self, day: None) -> None:
        """It paid nothing before."""
        case, _done = decided("correction", "r-2", remedy=Remedy.CORRECT, ruling=NO_EXTRA_CARD)
        again = Ruling(cards=NO_EXTRA_CARD.cards, refunded=frozenset({0}))
        resettle("r-2", after=1, ruling=again, at=NOW + timedelta(minutes=9))

        rows = [row for row in read_report(ALTERATIONS) if row["subject"] == "round:r-2"]

        cards = '{"cards": ["P 4S", "B 7H", "P 5D", "B TC"]}'
        assert columns_of(rows, "case", "field", "before", "after") == [
            (str(case), "kind", None, "settled"),
            (str(case), "paid", None, "25.00"),
            (str(case), "ruling", None, cards),
            (str(case), "settlement", None, "1"),
            (None, "paid", "25.00", "15.00"),
            (None, "ruling", cards, cards.replace("]}", '], "refunded": [0]}')),
            (None, "settlement", "1", "2"),
        ]

    def test_of_a_customer_have_only_their_money(self, day: None) -> None:
        """p-2 lost 10.00 in r-4 and has it back."""
        rows = read_report(ALTERATIONS, THE_DAY._replace(customer="p-2"))

        assert columns_of(rows, "subject", "field", "before", "after", "after_cents") == [
            ("round:r-4", "kind", "settled", "void", None),
            ("round:r-4", "paid", "0.00", "10.00", 1000),
            ("round:r-4", "settlement", "1", "2", None),
        ]

    def test_are_listed_on_the_day_they_were_made(self, day: None) -> None:
        """Not on the day of the round."""
        ingest(lines(dealt("r-5", 15)))
        settle()
        void("r-5", after=1, at=NOW + timedelta(days=1))

        assert {row["subject"] for row in read_report(ALTERATIONS)} == {"round:r-4"}
        assert {row["subject"] for row in read_report(ALTERATIONS, Scope(NEXT, NEXT))} == {
            "round:r-5"
        }


class TestOtherAlterations:
    def test_are_listed_field_by_field(self, day: None) -> None:
        """Changed fields only, added and removed limits included."""
        table = change(name="Table one")
        first = limit_stakes(
            table_id=table.pk,
            limits={"player": (100, 200), "tie": (100, 300)},
            seen=0,
            at=NOW,
            actor=FLOOR,
        )
        assert first is not None
        later = NOW + timedelta(seconds=1)
        now_player = {"player": (100, 500)}
        limit_stakes(table_id=table.pk, limits=now_player, seen=first.pk, at=later, actor=FLOOR)

        assert fields("table:bac-1") == [
            ("name", "bac-1", "Table one"),
            ("player", None, "[100, 200]"),
            ("tie", None, "[100, 300]"),
            ("player", "[100, 200]", "[100, 500]"),
            ("tie", "[100, 300]", None),
        ]

    def test_of_tax_rates_name_the_rate_that_held(self, day: None) -> None:
        """The rate of the same game that was in force."""
        for minute, (first, rate) in enumerate(((10, 300), (1, 100), (5, 200), (5, 250))):
            begins, at = date(2026, 11, first), NOW + timedelta(minutes=minute)
            set_tax_rate(
                game="baccarat", in_force_from=begins, per_million=rate, at=at, actor=CLERK
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
        """A new reason is no alteration."""
        words = Wording("Fumo", "Smoke", needs_regulator=False, is_active=True)
        add_reason(code="smoke", purpose="refund", wording=words, at=NOW, actor=LORENZO)
        changed = words._replace(text_en="Smoke in the studio", is_active=False)
        change_reason(code="smoke", wording=changed, seen=1, at=NOW, actor=LORENZO)

        assert fields("reason:smoke") == [
            ("is_active", "true", "false"),
            ("text_en", "Smoke", "Smoke in the studio"),
        ]

    def test_of_people_name_their_accounts_and_roles(self, day: None) -> None:
        """As the pages record them."""
        account = {"username": "conti", "is_active": True, "roles": ["auditor"]}
        roles = {"before": ["auditor"], "after": ["auditor", "payments"]}
        for action, details in (
            ("ACCOUNT_CREATED", {"after": account}),
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
        assert {row["account"] for row in read_report(ALTERATIONS)} == {None, "conti"}


def fields(subject: str) -> list[tuple[Any, ...]]:
    """The changes of a subject in order."""
    rows = [row for row in read_report(ALTERATIONS) if row["subject"] == subject]
    return columns_of(rows, "field", "before", "after")
