"""A dispute is opened with its finding, or refused with a reason."""

from typing import Any

import pytest

from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute, DisputeFinding
from payouts.disputes.queries import finding_for_customer
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, contest, contested, own, service
from tests.casino.api.studio import studio
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.disputes.dispute_scenarios import disputed, play, voided_wrongly
from tests.payouts.settlement.resettlement_scenarios import stored

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _round() -> None:
    """Three bets of two customers: Player 9 against Banker 7."""
    play(
        baccarat_round("r-1"),
        baccarat_round("r-2", bets=[baccarat_bet("b1", "tie", "1.00", player="p-9")]),
    )


class TestAProgram:
    def test_opens_a_dispute_with_its_finding(self) -> None:
        """201 with Location and the finding: the round was voided, the rules pay it."""
        voided_wrongly()

        answer = contest(service(), bet="b1", claimed_cents=1_000, language="en")

        dispute, row = json_of(answer), Dispute.objects.get()
        assert answer.status_code == 201
        assert answer.headers["Location"] == f"{DISPUTES}/{row}" == dispute["links"]["self"]
        assert (dispute["id"], dispute["state"], dispute["step"]) == (str(row), "opened", 1)
        assert (dispute["round"]["round"], dispute["customer"]) == ("r-1", "p-1")
        assert (dispute["bet_number"], dispute["claimed_cents"]) == (0, 1_000)
        assert (dispute["opened_by"], dispute["language"]) == ("key", "en")
        assert dispute["finding"]["replay"]["agrees"] is False
        [bet] = dispute["finding"]["bets"]
        assert (bet["settled"]["payout_cents"], bet["rules_give"]["payout_cents"]) == (1_000, 2_000)
        finding = DisputeFinding.objects.get()
        assert dispute["finding"]["sha256"] == bytes(finding.digest).hex()

    @pytest.mark.parametrize(
        ("fields", "number"), [({}, None), ({"bet_number": 2}, 2), ({"bet": "b3"}, 2)]
    )
    def test_contests_one_bet_or_all(self, fields: dict[str, Any], number: int | None) -> None:
        """A bet is named by its number or by the studio's id."""
        assert contested(service(), **fields)["bet_number"] == number

    def test_names_the_round_by_either_id(self) -> None:
        """Sabot's id or the studio's."""
        by_id = str(stored("r-1").id)

        assert contested(service(), round=by_id)["round"]["round"] == "r-1"

    def test_is_recorded_as_the_actor(self) -> None:
        """The audit record of the dispute names the key."""
        program = service()

        contested(program)

        record = AuditRecord.objects.get(action="DISPUTE_OPENED")
        assert record.actor.startswith("Customer service (key ")
        assert record.actor_user_id is None

    def test_opens_it_once_for_repeated_calls(self) -> None:
        """The same call is replayed; another body under its key is refused."""
        program = service()

        first, again = (contest(program, once="ticket-1") for _ in range(2))
        other = contest(program, once="ticket-1", text="Other.")

        assert first.content == again.content
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.headers["ETag"] == first.headers["ETag"]
        assert slug_of(other) == "idempotency-key-reused"
        assert Dispute.objects.count() == 1

    def test_reads_only_the_number_of_similar_bets(self) -> None:
        """Only keys that take part in decisions see whose they are."""
        bets = [
            baccarat_bet("b1", "player", "10.00"),
            baccarat_bet("b-other", "player", "10.00", player="p-secret"),
        ]
        ingest(lines(baccarat_round("r-3", bets=bets)))
        settle(at=by_now())

        less = contest(service(), round="r-3")
        more = json_of(studio().get(f"{DISPUTES}/{json_of(less)['id']}"))

        assert json_of(less)["finding"]["bets"][0]["siblings"] == {"count": 1, "bets": None}
        assert "p-secret" not in less.content.decode()
        assert more["finding"]["bets"][0]["siblings"]["bets"][0]["customer"] == "p-secret"
        assert more["finding"]["earlier"] == {"cases": [], "disputes": []}

    def test_may_dispute_a_bet_that_never_arrived(self) -> None:
        """The customer then needs no bet in the round."""
        assert contested(service(), round="r-2", reason="bet_not_recognised")["bet_number"] is None

    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"round": "r-9"}, "/round"),
            ({"round": "%00"}, "/round"),
            ({"round": 7}, "/round"),
            ({"round": "r-2"}, "/round"),  # he has no bet there
            ({"customer": None}, "/customer"),
            ({"customer": "nobody"}, "/customer"),
            ({"bet_number": 1}, "/bet_number"),  # of p-2
            ({"bet_number": -1}, "/bet_number"),
            ({"bet_number": 2**31}, "/bet_number"),
            ({"bet": "b2"}, "/bet"),  # of p-2
            ({"bet": "b1", "bet_number": 0}, "/bet"),
            ({"reason": "bad luck"}, "/reason"),
            ({"reason": None}, "/reason"),
            ({"claimed_cents": 0}, "/claimed_cents"),
            ({"claimed_cents": "10"}, "/claimed_cents"),
            ({"text": " \n"}, "/text"),
            ({"text": "x" * 4_001}, "/text"),
            ({"language": "fr"}, "/language"),
        ],
    )
    def test_is_refused_with_the_field(self, fields: dict[str, Any], field: str) -> None:
        """422 names the field; nothing is written."""
        answer = contest(service(), **fields)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        [error] = json_of(answer)["errors"]
        assert error["field"] == field
        assert error["needed"]
        assert not Dispute.objects.exists()

    def test_names_the_open_duplicate(self) -> None:
        """409 names the open dispute."""
        dispute = disputed()

        answer = contest(service())

        assert (answer.status_code, slug_of(answer)) == (409, "disputed-already")
        [error] = json_of(answer)["errors"]
        assert (error["field"], error["found"]) == ("/round", str(dispute))


class TestAKeyOfSomeTables:
    def test_contests_only_rounds_of_its_tables(self) -> None:
        """A round of another table is refused like an unknown one."""
        open_table("bac-2")

        answer = contest(service(tables=["bac-1"]))
        refused = contest(service(tables=["bac-2"]), bet_number=0)

        assert answer.status_code == 201
        assert (refused.status_code, json_of(refused)["errors"][0]["field"]) == (422, "/round")


class TestACustomersOwnToken:
    def test_contests_their_own_bets(self) -> None:
        """The customer is taken from the token."""
        opened = contested(own("p-2"), customer=None)

        dispute = Dispute.objects.get()
        assert (opened["customer"], opened["opened_by"]) == ("p-2", "customer")
        assert [bet["reference"] for bet in opened["finding"]["bets"]] == ["b2"]
        shown = finding_for_customer(dispute)["bets"][0]["steps"]
        assert opened["finding"]["bets"][0]["steps"] == shown
        assert (opened["actor"], opened["owner"], opened["finding"]["earlier"]) == (
            None,
            None,
            None,
        )

    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"customer": "p-1"}, "/customer"),
            ({"customer": "nobody"}, "/customer"),
            ({"customer": None, "bet": "b1"}, "/bet"),
            ({"customer": None, "bet_number": 0}, "/bet_number"),
            ({"customer": None, "round": "r-2"}, "/round"),
            ({"customer": None, "round": "r-2", "reason": "bet_not_recognised"}, "/round"),
        ],
    )
    def test_contests_no_bets_of_other_customers(self, fields: dict[str, Any], field: str) -> None:
        """Bets of others, and rounds without an own bet, are refused."""
        answer = contest(own("p-2"), **fields)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert json_of(answer)["errors"][0]["field"] == field
        assert not Dispute.objects.exists()
