"""Disputes are read with their steps and the proof of their findings."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.trail.log.append_to_log import append_to_log
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, hand_in, read, service
from tests.casino.api.studio import studio
from tests.casino_in_play import by_now, ingest, settle
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.disputes.dispute_scenarios import (
    CITED,
    PAOLO,
    REASONS,
    answer,
    ask,
    close,
    disputed,
    executed,
    own_case,
    reject,
    resettled,
    take,
    uphold,
    voided_wrongly,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_round")]
_MOST_QUERIES = 30


class TestADispute:
    def test_has_the_open_question(self) -> None:
        """The question is shown while the dispute waits for the customer."""
        dispute = disputed()
        take(dispute)
        ask(dispute, note="Which box?")

        waiting = read(service(), f"/{dispute}")
        answer(dispute)
        back = read(service(), f"/{dispute}")

        assert (waiting["state"], waiting["question"]) == ("waiting", "Which box?")
        assert (back["state"], back["question"]) == ("in_review", None)
        assert (back["owner"], back["step"]) == (PAOLO.name, 4)

    def test_has_the_decision_and_the_state_of_its_remedy(self) -> None:
        """When the case is executed, the dispute is closed.

        p-1 staked 12.00 and won 25.00 by the rules (tests/documents.py): 13.00 more than by a void.
        """
        voided_wrongly()
        dispute = disputed()
        take(dispute)
        uphold(dispute, resettled())

        decided = read(service(), f"/{dispute}")
        executed(dispute)
        closed = read(service(), f"/{dispute}")

        assert decided["state"] == "upheld"
        assert decided["decision"]["verdict"] == "upheld"
        assert decided["decision"]["text"] == REASONS
        assert decided["decision"]["citations"] == [citation._asdict() for citation in CITED]
        assert decided["remedy"]["case"] == str(own_case(dispute))
        assert (decided["remedy"]["stage"], decided["remedy"]["executed_at"]) == ("proposed", None)
        assert (closed["state"], closed["remedy"]["stage"]) == ("closed", "done")
        assert closed["remedy"]["executed_at"] is not None
        for remedy in (decided["remedy"], closed["remedy"]):
            assert (remedy["amount_cents"], remedy["chips_cents"]) == (1_300, 0)

    def test_that_is_not_there_is_not_found(self) -> None:
        """404 names the id."""
        for name in ("D-9999", "D-1", "%00", "x" * 99, "D-" + "9" * 30):
            answer = service().get(f"{DISPUTES}/{name}")
            assert (answer.status_code, slug_of(answer)) == (404, "not-found")

    def test_is_revalidated_by_its_etag(self) -> None:
        """304 until a step, a file or the case changes."""
        dispute, program = disputed(), service()
        path = f"{DISPUTES}/{dispute}"
        etag = program.get(path).headers["ETag"]

        same = program.get(path, If_None_Match=f'"x", W/{etag}')
        hand_in(program, str(dispute))
        with_file = program.get(path, If_None_Match=etag)
        take(dispute)
        unchanged = program.get(path, If_None_Match=with_file.headers["ETag"])

        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", etag)
        assert [with_file.status_code, unchanged.status_code] == [200, 200]
        assert len({etag, with_file.headers["ETag"], unchanged.headers["ETag"]}) == 3

    def test_takes_few_queries(self) -> None:
        """The number of queries does not depend on similar disputes."""
        program = studio()
        crowd = [
            baccarat_bet(f"b{number}", "player", "1.00", player=f"p-{number}")
            for number in range(1, 100)
        ]
        ingest(lines(baccarat_round("r-2", bets=crowd)))
        settle(at=by_now())
        alone, among = disputed(), disputed("r-2")
        read(program, f"/{alone}")

        counts = []
        for dispute in (alone, among):
            with CaptureQueriesContext(connection) as queries:
                read(program, f"/{dispute}")
            counts.append(len(queries))

        assert counts[0] == counts[1] <= _MOST_QUERIES


class TestTheStepsOfADispute:
    def test_come_page_by_page(self) -> None:
        """Oldest first, each once."""
        dispute, program = disputed(), service()
        take(dispute)
        reject(dispute)
        close(dispute, note="Inner note.")

        steps = read(program, f"/{dispute}/steps")["data"]
        first = read(program, f"/{dispute}/steps?limit=3")
        rest = read(program, f"/{dispute}/steps?limit=3&cursor={first['next']}")

        assert [step["action"] for step in steps] == ["opened", "taken", "rejected", "closed"]
        assert (steps[2]["text"], steps[2]["actor"]) == (REASONS, PAOLO.name)
        assert steps[3]["text"] == "Inner note."
        assert (*first["data"], *rest["data"]) == tuple(steps)
        assert rest["next"] is None


class TestTheProofOfARecord:
    def test_waits_for_the_log(self) -> None:
        """409 with Retry-After before the batch is logged, then the inclusion proof."""
        program, dispute = service(), disputed()
        [record, _settled] = read(program, f"/{dispute}")["finding"]["records"]
        early = program.get(record["proof"])
        append_to_log(KEY, now=by_now())

        late = program.get(record["proof"])

        assert (early.status_code, slug_of(early)) == (409, "not-in-log")
        assert early.headers["Retry-After"] == "2"
        assert json_of(late)["proof"] == "sabot inclusion/1"
        assert "ROUND_RECEIVED" in json_of(late)["record"]

    def test_is_of_a_record_that_the_finding_names(self) -> None:
        """Other audit records are answered 404."""
        program, dispute = service(), disputed()

        answer = program.get(f"{DISPUTES}/{dispute}/proofs/019aa88a-7550-7a4d-8d5c-8e3f1c1b7d11")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
