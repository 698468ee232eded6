"""Keys of some tables and tokens of customers read only the disputes meant for them."""

import pytest

from tests.casino.api.api_client import Program, issued, json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, contested, hand_in, own, read
from tests.casino.api.studio import studio
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.disputes.dispute_scenarios import (
    REASONS,
    close,
    disputed,
    reject,
    take,
    voided_wrongly,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]


class TestAKeyOfSomeTables:
    def test_sees_only_disputes_of_their_rounds(self) -> None:
        """Disputes of other tables are answered 404 and not listed."""
        open_table("bac-2")
        ingest(lines(baccarat_round("r-2", table="bac-2")))
        settle(at=by_now())
        visible, other = disputed("r-2"), disputed()
        program = studio(tables=["bac-2"])
        hand_in(studio(), str(other))
        [file] = read(studio(), f"/{other}/evidence")["data"]

        answers = [
            program.get(f"{DISPUTES}/{other}"),
            program.get(f"{DISPUTES}/{other}/steps"),
            program.get(f"{DISPUTES}/{other}/evidence"),
            program.get(file["links"]["self"]),
            hand_in(program, str(other)),
            program.post(f"{DISPUTES}/{other}/answers", {"text": "No."}),
        ]

        assert [answer.status_code for answer in answers] == [404] * 6
        assert [dispute["id"] for dispute in read(program)["data"]] == [str(visible)]
        assert slug_of(program.get(f"{DISPUTES}?round=r-1")) == "refused"


class TestACustomersOwnToken:
    def test_reads_what_the_customer_may_know(self) -> None:
        """No names of staff, inner notes, round totals or bets of others."""
        voided_wrongly()
        dispute = disputed()
        disputed(pseudonym="p-2")
        take(dispute)
        reject(dispute)
        close(dispute, note="Inner note.")
        program = own("p-1")

        answers = [
            program.get(f"{DISPUTES}{path}") for path in ("", f"/{dispute}", f"/{dispute}/steps")
        ]

        text = "".join(answer.content.decode() for answer in answers)
        for hidden in ("Paolo", "Anna", "Giulia", "Lorenzo", "worker", "Inner note", "p-2", '"b2"'):
            assert hidden not in text
        assert REASONS in text
        settlements = json_of(answers[1])["finding"]["settlements"]
        assert [settlement["payout_cents"] for settlement in settlements] == [None, None]
        actions = {record["action"] for record in json_of(answers[1])["finding"]["records"]}
        assert actions == {"ROUND_RECEIVED", "ROUND_SETTLED", "ROUND_VOIDED"}

    def test_sees_no_earlier_disputes_of_other_customers(self) -> None:
        """Earlier disputes of other customers are not shown."""
        disputed(pseudonym="p-2")

        finding = contested(own("p-1"), customer=None)["finding"]

        assert "ROUND_DISPUTED" not in {record["action"] for record in finding["records"]}
        assert finding["earlier"] is None


def test_a_key_without_the_scope_reads_none() -> None:
    """``disputes:write`` does not allow reading."""
    program = Program(issued(scopes=["disputes:write"]).token)

    assert slug_of(program.get(f"{DISPUTES}/{disputed()}")) == "scope-missing"
