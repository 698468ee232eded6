"""The pages of tables: registered, changed, limited, suspended, by whom it is up to."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.models import Reason
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound, StakeLimitSet, Table, TableSuspension
from rounds.services.limit_stakes import limit_stakes, limits_of_set, set_in_force
from tests.casino.backoffice.conftest import allow_everything, page_of, person
from tests.casino.backoffice.reading import page_html
from tests.casino_in_play import NOW, by_now, ingest, open_table, settle
from tests.casino_in_play import limit_stakes as put_in_force
from tests.documents import baccarat_round, lines, shoe

LIST = "/admin/rounds/table/"
NEW = "/admin/tables/new/"


@pytest.fixture
def administrator(client: Client, db: None) -> Client:
    """A browser in which the administrator has logged in, and reads English."""
    client.force_login(person("administrator"))
    client.cookies["django_language"] = "en"
    return client


def address(table: Table, table_action: str = "") -> str:
    """A page on which something is decided about the table."""
    return f"/admin/tables/{table.pk}/{table_action}"


def page_of_table(table: Table) -> str:
    """The table's own page."""
    return f"{LIST}{table.pk}/change/"


def plain(page: bytes) -> str:
    """A page as it reads, without marks."""
    text = page.decode().replace("\N{EN DASH}", "-")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


class TestANewTable:
    def test_is_registered_with_a_rule_set_in_force(self, administrator: Client) -> None:
        """From then on its rounds are taken; the trail says who did it."""
        fields = {"code": "bac-1", "name": "Baccarat uno", "rules": "baccarat/1"}

        answer = administrator.post(NEW, fields)

        table = Table.objects.get()
        assert answer.headers["Location"] == page_of_table(table)
        assert (table.code, table.name, table.rules) == ("bac-1", "Baccarat uno", "baccarat/1")
        assert ingest(lines(baccarat_round("r-1"))).rounds == 1
        record = AuditRecord.objects.get(action="TABLE_REGISTERED")
        assert (record.actor, record.subject) == ("administrator", "table:bac-1")

    @pytest.mark.parametrize(
        ("field", "value", "found"),
        [
            ("code", "bac-0", "bac-0"),
            ("code", " bac-1", " bac-1"),
            ("code", "", "No value"),
            ("name", "\n", "No value"),
            ("rules", "baccarat/9", "baccarat/9"),
        ],
    )
    def test_that_cannot_be_says_what_was_found_and_what_is_needed(
        self, administrator: Client, field: str, value: str, found: str
    ) -> None:
        """A code that is in use, an empty name, a rule set that nobody knows."""
        open_table("bac-0")
        fields = {"code": "bac-1", "name": "Baccarat", "rules": "baccarat/1", field: value}

        page = administrator.post(NEW, fields).content

        assert "expected:" in plain(page)
        assert found in plain(page)
        assert Table.objects.count() == 1


class TestAChange:
    def test_holds_for_the_rounds_to_come_and_is_on_record(self, administrator: Client) -> None:
        """A stored round keeps its rule set; the record tells before and after."""
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
        """Saving an untouched form is no decision."""
        table = open_table()

        administrator.post(address(table), {"name": "bac-1", "rules": "baccarat/1", "seen": 1})

        table.refresh_from_db()
        assert table.version == 1
        assert not AuditRecord.objects.filter(action="TABLE_CHANGED").exists()

    def test_of_what_somebody_else_changed_is_not_saved(self, administrator: Client) -> None:
        """The second is told by whom and when, sees both, and may then save again."""
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


class TestLimits:
    def test_are_compared_before_they_are_in_force(self, administrator: Client) -> None:
        """Player stays, Banker is new, the tie's goes away; only the button puts them in force."""
        table = open_table()
        put_in_force(table, player=(100, 50_000), tie=(10, 1_000))
        seen = StakeLimitSet.objects.get().pk
        typed = limits(seen, player=("1,00", "500"), banker=("2.50", "1,250.00"))

        review = administrator.post(address(table, "limits/"), typed).content
        sets_before = StakeLimitSet.objects.count()
        administrator.post(address(table, "limits/"), {**typed, "confirm": "1"})

        words = plain(review)
        assert "Player 1.00 - 500.00 1.00 - 500.00 Unchanged" in words
        assert "Banker no limit 2.50 - 1,250.00 New" in words
        assert "Tie 0.10 - 10.00 no limit Removed" in words
        assert sets_before == 1
        in_force = limits_of_set(set_in_force(table.pk))
        assert in_force == {"player": (100, 50_000), "banker": (250, 125_000)}
        details = AuditRecord.objects.get(action="LIMITS_DECIDED").details
        assert details["before"] == {"player": [100, 50_000], "tie": [10, 1_000]}
        assert details["after"] == {"player": [100, 50_000], "banker": [250, 125_000]}

    @pytest.mark.parametrize(
        ("least", "most", "needed"),
        [
            ("one", "2", "an amount in euro"),
            ("2", "1", "at least the least stake"),
            ("0", "1", "at least one cent"),
            ("1", "", "an amount in euro"),
        ],
    )
    def test_that_cannot_be_say_what_is_needed(
        self, administrator: Client, least: str, most: str, needed: str
    ) -> None:
        """What was typed stays in the fields."""
        table = open_table()

        page = administrator.post(
            address(table, "limits/"), limits(0, player=(least, most)) | {"confirm": "1"}
        ).content

        assert needed in plain(page)
        assert f'name="least-player" value="{least}"' in page_html(page)
        assert not StakeLimitSet.objects.exists()

    def test_decided_by_two_at_once_are_shown_side_by_side(self, administrator: Client) -> None:
        """The second confirmed what he had compared with a set that is no longer in force."""
        table = open_table()
        put_in_force(table, player=(100, 50_000))
        seen = StakeLimitSet.objects.get().pk
        limit_stakes(
            table_id=table.pk, limits={"player": (200, 60_000)}, seen=seen, at=NOW, actor=PAOLO
        )

        for step in ({}, {"confirm": "1"}):
            typed = limits(seen, player=("3", "700")) | step
            page = administrator.post(address(table, "limits/"), typed).content

            words = plain(page)
            assert "Paolo Greco changed the limits" in words
            assert "1.00 - 500.00 2.00 - 600.00" in words
            assert 'name="least-player" value="3"' in page_html(page)
        newest = set_in_force(table.pk)
        assert newest is not None
        assert f'name="seen" value="{newest.pk}"' in page.decode()
        assert limits_of_set(newest) == {"player": (200, 60_000)}

    def test_hold_for_rounds_that_arrive_later(self, administrator: Client) -> None:
        """Player 10.00 is beyond 5.00; the round before stays settled."""
        table = open_table()
        ingest(lines(baccarat_round("r-1")))
        typed = limits(0, player=("1", "5")) | {"confirm": "1"}

        administrator.post(address(table, "limits/"), typed)
        ingest(lines(baccarat_round("r-2")))
        settle()

        assert [one.round.reference for one in Settlement.objects.all()] == ["r-1"]

    def test_speak_italian(self, administrator: Client) -> None:
        """With its own notation."""
        administrator.cookies["django_language"] = "it"
        table = open_table()
        put_in_force(table, player=(100, 5_000_000))

        page = administrator.get(address(table, "limits/")).content

        assert 'name="most-player" value="50.000,00"' in page_html(page)
        assert "Giocatore" in plain(page)


PAOLO = Actor("Paolo Greco", 5)


def limits(seen: int, **pairs: tuple[str, str]) -> dict[str, Any]:
    """What the form of a set of limits sends."""
    typed: dict[str, Any] = {"seen": seen}
    for kind, (least, most) in pairs.items():
        typed |= {f"least-{kind}": least, f"most-{kind}": most}
    return typed


class TestASuspension:
    def test_is_taken_from_the_list_and_shown_wherever_a_round_waits(
        self, supervisor: Client
    ) -> None:
        """On the tables, on the table, on the waiting rounds, on the round; until it is over."""
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
        assert "Suspended" not in plain(supervisor.get(LIST).content).replace("Suspended since", "")
        record = AuditRecord.objects.get(action="TABLE_RESUMED")
        assert (record.details["note"], record.details["rounds"]) == ("checked", 1)

    def test_needs_a_reason_that_is_in_use(self, supervisor: Client) -> None:
        """Neither one that was taken out of use, nor one for something else."""
        table = open_table()
        Reason.objects.filter(code="equipment").update(is_active=False)

        for code in ("equipment", "service-failure", "", "x\0"):
            supervisor.post(address(table, "suspend/"), {"seen": 0, "reason": code})

        assert not TableSuspension.objects.exists()

    def test_by_a_second_person_tells_who_came_first(self, supervisor: Client) -> None:
        """Nothing is done twice."""
        table = open_table()
        fields = {"seen": 0, "reason": "equipment"}
        supervisor.post(address(table, "suspend/"), fields)

        page = supervisor.post(address(table, "suspend/"), fields, follow=True).content

        assert "supervisor already updated this item (Suspended" in plain(page)
        assert TableSuspension.objects.count() == 1

    def test_cannot_end_without_a_word(self, supervisor: Client) -> None:
        """Somebody says why the table may be resumed."""
        table = open_table()
        supervisor.post(address(table, "suspend/"), {"seen": 0, "reason": "equipment"})

        page = supervisor.post(address(table, "resume/"), {"seen": 1, "note": " "}, follow=True)

        assert "Enter a reason for resuming the table" in plain(page.content)
        assert TableSuspension.objects.count() == 1


def late() -> dict[str, str]:
    """The times of a round that is played long after anything a test does."""
    day = "2099-11-21T21"
    bets = [{**bet, "placed_at": f"{day}:10:15Z"} for bet in baccarat_round("r")["bets"]]
    times = {
        "opened_at": f"{day}:10:10Z",
        "closed_at": f"{day}:10:25Z",
        "ended_at": f"{day}:11:02Z",
    }
    return {**times, "bets": bets}  # type: ignore[dict-item]


class TestALink:
    def test_leads_from_table_to_shoe_and_rules_and_back(self, supervisor: Client) -> None:
        """Whoever asks about one of them asks about the others."""
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
    def test_does_its_own_and_nothing_else(
        self, client: Client, db: None, role: str, may: set[str]
    ) -> None:
        """Everybody looks at tables."""
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

    def test_of_a_forged_form_gets_no_error_of_ours(self, supervisor: Client) -> None:
        """What our pages never send is a bad request."""
        allow_everything(User.objects.get())
        table = open_table()

        for table_action in ("", "limits/", "suspend/", "resume/"):
            answer = supervisor.post(
                address(table, table_action), {"seen": "9" * 40, "reason": "equipment", "name": "x"}
            )
            assert answer.status_code == 400
