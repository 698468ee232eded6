"""The event stream has every settlement in the order of the signed log (issue 8)."""

import pytest
from django.utils import timezone

from casino.integrations.issue_key import issue_customer_token
from compliance.trail.models import AuditRecord
from tests.casino.api.api_client import ADMINISTRATOR, Program, a_customer, issued, json_of, slug_of
from tests.casino.api.events.event_scenarios import (
    EVENTS,
    all_events,
    bound_to,
    everything_happens,
    log,
    page_after,
    settled_rounds,
)
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.trail.logs import write
from tests.compliance.trail.lost_logs import find_loss, lose
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Program:
    """A program with the scope to read rounds."""
    return Program(issued(scopes=["rounds:read"]).token)


class TestTheStream:
    def test_has_every_settlement_in_the_order_of_the_log(self, program: Program) -> None:
        """Settled, corrected and voided rounds; held rounds have no event."""
        expected = everything_happens()

        events = all_events(program)

        summaries = [
            (
                event["type"],
                event["data"]["settlement"]["round"],
                event["data"]["settlement"]["sequence"],
            )
            for event in events
        ]
        assert summaries == expected
        leaves = [event["leaf"] for event in events]
        assert leaves == sorted(set(leaves))

    def test_has_amounts_before_and_after(self, program: Program) -> None:
        """Settled with 22.00 staked and 25.00 paid, voided with 22.00, settled again with 25.00."""
        everything_happens()

        of_one = [
            event["data"]["settlement"]
            for event in all_events(program)
            if event["data"]["settlement"]["round"] == "r-1"
        ]

        money = [
            (event["kind"], event["staked_cents"], event["paid_cents"], event["paid_before_cents"])
            for event in of_one
        ]
        assert money == [
            ("settled", 2200, 2500, None),
            ("void", 2200, 2200, 2500),
            ("settled", 2200, 2500, 2200),
        ]
        assert {(event["table"], event["rules"]) for event in of_one} == {("bac-1", "baccarat/1")}
        assert {event["round_id"] for event in of_one} == {str(stored("r-1").id)}

    def test_events_are_audit_records(self, program: Program) -> None:
        """The id is that of the record; the proof has its place in the log."""
        everything_happens()

        events = all_events(program)
        assert events
        for event in events:
            proof = json_of(program.get(event["links"]["proof"]))
            assert AuditRecord.objects.get(pk=event["id"]).subject in proof["record"]
            assert proof["leaf_index"] == event["leaf"]
            assert json_of(program.get(event["links"]["event"])) == event

    def test_has_logged_events_only(self, program: Program) -> None:
        """Records that are not logged have no final order yet."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        assert page_after(program, "0") == {"data": [], "next": "0", "more": False}
        log()
        assert len(all_events(program)) == 1

    @pytest.mark.parametrize("limit", [1, 2, 3])
    def test_is_the_same_in_pages_of_any_size(self, program: Program, limit: int) -> None:
        """Each event once, with any page size."""
        expected = everything_happens()

        pages = all_events(program, limit=limit)

        assert len(pages) == len(expected)
        assert pages == all_events(program)

    def test_continues_after_any_event(self, program: Program) -> None:
        """Each event has the cursor that follows it."""
        everything_happens()
        events = all_events(program)

        assert len(events) > 1
        for number, event in enumerate(events):
            assert page_after(program, event["cursor"])["data"] == events[number + 1 :]

    def test_gives_the_cursor_of_the_end(self, program: Program) -> None:
        """The end has no events and the cursor after the latest."""
        everything_happens()
        end = page_after(program, "end")
        settled_rounds("r-9")

        assert end["data"] == []
        assert [
            event["data"]["settlement"]["round"]
            for event in page_after(program, end["next"])["data"]
        ] == ["r-9"]

    def test_keeps_cursors_of_lost_records(self, program: Program) -> None:
        """A restored database is behind them; the log goes on after the last."""
        open_table()
        settled_rounds("r-1")
        last = lose(7)
        find_loss(last)
        size = last.head.size

        page = page_after(program, str(size))
        beyond = program.get(f"{EVENTS}?cursor={size + 1}")

        assert (page["data"], page["next"]) == ([], str(size))
        assert beyond.status_code == 422

    def test_pages_may_be_empty(self, program: Program) -> None:
        """Pages of other records have no event and a later cursor."""
        open_table()
        for _batch in range(3):
            write(3_000)
        settled_rounds("r-1")

        first = page_after(program, "0")
        rest = page_after(program, first["next"])

        assert (first["data"], first["more"]) == ([], True)
        assert int(first["next"]) > 0
        assert len(rest["data"]) == 1


class TestAKey:
    def test_of_some_tables_sees_only_their_events(self) -> None:
        """Events and proofs of other tables are not found."""
        open_table("bac-1")
        open_table("bac-2")
        settled_rounds("r-1")
        settled_rounds("r-2", table="bac-2")
        [other] = [
            event
            for event in all_events(Program(issued().token))
            if event["data"]["settlement"]["table"] == "bac-1"
        ]
        program = Program(bound_to("bac-2").token)

        assert [event["data"]["settlement"]["round"] for event in all_events(program, limit=1)] == [
            "r-2"
        ]
        for address in (other["links"]["event"], other["links"]["proof"]):
            assert slug_of(program.get(address)) == "not-found"

    def test_of_a_customer_sees_no_events(self) -> None:
        """Customers' tokens are answered 403."""
        a_customer("p-1")
        token = issue_customer_token(
            customer="p-1",
            minutes=5,
            issuer=issued().key,
            at=timezone.now(),
            actor=ADMINISTRATOR,
        )

        answer = Program(token.token).get(EVENTS)

        assert (answer.status_code, slug_of(answer)) == (403, "not-for-customers")

    @pytest.mark.parametrize(
        ("requested", "field"),
        [
            ("cursor=-1", "query:cursor"),
            ("cursor=99", "query:cursor"),
            ("cursor=now", "query:cursor"),
            ("cursor=", "query:cursor"),
            ("limit=0", "query:limit"),
            ("limit=1001", "query:limit"),
            ("limit=x", "query:limit"),
            ("before=1", "query:before"),
        ],
    )
    def test_names_the_invalid_parameter(
        self, program: Program, requested: str, field: str
    ) -> None:
        """An invalid cursor is refused with its parameter."""
        answer = program.get(f"{EVENTS}?{requested}")

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert json_of(answer)["errors"][0]["field"] == field
