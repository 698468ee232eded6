"""The pages of tables: registering and changing them, links and roles."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.models import AuditRecord
from rounds.models import QueuedRound, Table
from tests.casino.backoffice.conftest import allow_everything, person
from tests.casino.backoffice.managing.table_pages import address, page_of_table, plain
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines, shoe

NEW = "/admin/tables/new/"


class TestANewTable:
    def test_is_registered_with_a_rule_set_in_force(self, administrator: Client) -> None:
        """Its rounds are accepted; the registration is recorded."""
        fields = {"code": "bac-1", "name": "Baccarat uno", "rules": "baccarat/1"}

        answer = administrator.post(NEW, fields)

        table = Table.objects.get()
        assert answer.headers["Location"] == page_of_table(table)
        assert (table.code, table.name, table.rules) == ("bac-1", "Baccarat uno", "baccarat/1")
        assert ingest(lines(baccarat_round("r-1"))).rounds == 1
        record = AuditRecord.objects.get(action="TABLE_REGISTERED")
        assert (record.actor, record.subject) == ("administrator", "table:bac-1")

    @pytest.mark.parametrize(
        ("field", "value", "value_found"),
        [
            ("code", "bac-0", "bac-0"),
            ("code", " bac-1", " bac-1"),
            ("code", "", "No value"),
            ("name", "\n", "No value"),
            ("rules", "baccarat/9", "baccarat/9"),
        ],
    )
    def test_that_is_invalid_says_what_is_needed(
        self, administrator: Client, field: str, value: str, value_found: str
    ) -> None:
        """A used code, an empty name, an unknown rule set."""
        open_table("bac-0")
        fields = {"code": "bac-1", "name": "Baccarat", "rules": "baccarat/1", field: value}

        page = administrator.post(NEW, fields).content

        assert "expected:" in plain(page)
        assert value_found in plain(page)
        assert Table.objects.count() == 1


class TestAChange:
    def test_applies_to_later_rounds_and_is_recorded(self, administrator: Client) -> None:
        """Stored rounds keep their rule set."""
        table = open_table()
        ingest(lines(baccarat_round("r-1")))
        fields = {"name": "Blackjack now", "rules": "blackjack/1", "seen": 1}

        administrator.post(address(table), fields)

        assert ingest(lines(baccarat_round("r-2"))).quarantined == 1
        assert QueuedRound.objects.get().round.rules == "baccarat/1"
        details = AuditRecord.objects.get(action="TABLE_CHANGED").details
        assert details["before"] == {"name": "bac-1", "rules": "baccarat/1"}
        assert details["after"] == {"name": "Blackjack now", "rules": "blackjack/1"}

    def test_that_changes_nothing_leaves_no_record(self, administrator: Client) -> None:
        """Saving an unchanged form is not recorded."""
        table = open_table()

        administrator.post(address(table), {"name": "bac-1", "rules": "baccarat/1", "seen": 1})

        table.refresh_from_db()
        assert table.version == 1
        assert not AuditRecord.objects.filter(action="TABLE_CHANGED").exists()

    def test_of_a_table_changed_meanwhile_is_not_saved(self, administrator: Client) -> None:
        """The page shows both versions; saving again works."""
        table = open_table()
        administrator.post(address(table), {"name": "first", "rules": "baccarat/1", "seen": 1})
        second = {"name": "second", "rules": "baccarat/1", "seen": 1}

        page = administrator.post(address(table), second).content
        table.refresh_from_db()
        name_before = table.name
        administrator.post(address(table), {**second, "seen": 2})

        words = plain(page)
        assert "This table was changed by another user" in words
        assert "administrator, " in words
        assert "current value: first" in words
        assert 'value="second"' in page.decode()
        assert 'name="seen" value="2"' in page.decode()
        assert name_before == "first"
        table.refresh_from_db()
        assert (table.name, table.version) == ("second", 3)


class TestALink:
    def test_leads_from_table_to_shoe_and_rules_and_back(self, supervisor: Client) -> None:
        """The pages link to each other."""
        table = open_table()
        ingest(lines(shoe("s-1")))

        from_table = supervisor.get(page_of_table(table)).content.decode()
        from_shoe = supervisor.get("/admin/shoe/?id=s-1").content.decode()
        from_rules = supervisor.get("/admin/rule-sets/baccarat/1/").content.decode()

        assert "/admin/shoe/?id=s-1" in from_table
        assert "/admin/rule-sets/baccarat/1/" in from_table
        assert page_of_table(table) in from_shoe
        assert page_of_table(table) in from_rules


class TestEachRole:
    @pytest.mark.parametrize(
        ("role", "may"),
        [
            ("administrator", {"new", "change", "limits"}),
            ("supervisor", {"suspend", "resume"}),
            ("payments", set[str]()),
            ("compliance", set[str]()),
            ("auditor", set[str]()),
        ],
    )
    def test_does_only_its_actions(
        self, client: Client, db: None, role: str, may: set[str]
    ) -> None:
        """Every role may read tables."""
        table = open_table()
        client.force_login(person(role))
        actions = {
            "new": NEW,
            "change": address(table),
            "limits": address(table, "limits/"),
            "suspend": address(table, "suspend/"),
            "resume": address(table, "resume/"),
        }

        looks = client.get(page_of_table(table)).status_code
        refused = {
            table_action
            for table_action, page in actions.items()
            if client.post(page, {"seen": 0, "reason": "x"}).status_code == 403
        }

        assert looks == 200
        assert refused == actions.keys() - may

    def test_with_a_forged_form_is_answered_400(self, supervisor: Client) -> None:
        """It is no server error."""
        allow_everything(User.objects.get())
        table = open_table()

        for table_action in ("", "limits/", "suspend/", "resume/"):
            answer = supervisor.post(
                address(table, table_action), {"seen": "9" * 40, "reason": "equipment", "name": "x"}
            )
            assert answer.status_code == 400
