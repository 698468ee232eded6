"""Disputes are read with all details, and listed for keys that may read them."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.trail.log.append_to_log import append_to_log
from tests.casino.api.calling import Program, issued, json_of, slug_of
from tests.casino.api.disputes.complaining import DISPUTES, contested, hand_in, own, service
from tests.casino.api.studio import studio
from tests.casino_in_play import NOW, by_now, ingest, open_table, settle
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
    play,
    reject,
    resettled,
    take,
    uphold,
    voided_wrongly,
)

pytestmark = pytest.mark.django_db
_MOST_QUERIES = 30


@pytest.fixture(autouse=True)
def _round() -> None:
    """Three bets, two customers: Player 9 against Banker 7."""
    play()


def read(program: Program, path: str = "") -> Any:
    """What is told there."""
    found = program.get(f"{DISPUTES}{path}")
    assert found.status_code == 200, found.content
    return json_of(found)


class TestADispute:
    def test_has_the_open_question(self) -> None:
        """While it waits for him, and no longer."""
        dispute = disputed()
        take(dispute)
        ask(dispute, note="Which box?")

        waiting = read(service(), f"/{dispute}")
        answer(dispute)
        back = read(service(), f"/{dispute}")

        assert (waiting["state"], waiting["question"]) == ("waiting", "Which box?")
        assert (back["state"], back["question"]) == ("in_review", None)
        assert (back["owner"], back["step"]) == (PAOLO.name, 4)

    def test_tells_the_decision_and_how_its_remedy_stands(self) -> None:
        """Decided, then executed: the case is done, the dispute closed."""
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
        assert decided["decision"]["citations"] == [one._asdict() for one in CITED]
        assert decided["remedy"]["case"] == str(own_case(dispute))
        assert (decided["remedy"]["stage"], decided["remedy"]["executed_at"]) == ("proposed", None)
        assert (closed["state"], closed["remedy"]["stage"]) == ("closed", "done")
        assert closed["remedy"]["executed_at"] is not None

    def test_that_is_not_there_is_not_found(self) -> None:
        """404 with the name."""
        for name in ("D-9999", "D-1", "%00", "x" * 99, "D-" + "9" * 30):
            found = service().get(f"{DISPUTES}/{name}")
            assert (found.status_code, slug_of(found)) == (404, "not-found")

    def test_is_revalidated_by_its_etag(self) -> None:
        """304 until something changes: a step, a file, what became of the case."""
        dispute, program = disputed(), service()
        path = f"{DISPUTES}/{dispute}"
        etag = program.get(path).headers["ETag"]

        same = program.get(path, If_None_Match=f'"x", W/{etag}')
        hand_in(program, str(dispute))
        with_file = program.get(path, If_None_Match=etag)
        take(dispute)
        taken = program.get(path, If_None_Match=with_file.headers["ETag"])

        assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", etag)
        assert [with_file.status_code, taken.status_code] == [200, 200]
        assert len({etag, with_file.headers["ETag"], taken.headers["ETag"]}) == 3

    def test_takes_few_queries(self) -> None:
        """As many with a hundred others in the same situation as with none."""
        program = studio()
        crowd = [
            baccarat_bet(f"b{one}", "player", "1.00", player=f"p-{one}") for one in range(1, 100)
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

        found = read(program, f"/{dispute}/steps")["data"]
        first = read(program, f"/{dispute}/steps?limit=3")
        rest = read(program, f"/{dispute}/steps?limit=3&cursor={first['next']}")

        assert [one["action"] for one in found] == ["opened", "taken", "rejected", "closed"]
        assert (found[2]["text"], found[2]["actor"]) == (REASONS, PAOLO.name)
        assert found[3]["text"] == "Inner note."
        assert (*first["data"], *rest["data"]) == tuple(found)
        assert rest["next"] is None


class TestTheProofOfARecord:
    def test_waits_for_the_log(self) -> None:
        """Where the finding leads: 409 with the seconds; then the inclusion proof."""
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
        """Nothing else of the trail is read here."""
        program, dispute = service(), disputed()

        found = program.get(f"{DISPUTES}/{dispute}/proofs/019aa88a-7550-7a4d-8d5c-8e3f1c1b7d11")

        assert (found.status_code, slug_of(found)) == (404, "not-found")


class TestTheList:
    def test_is_filtered_by_the_query(self) -> None:
        """State, what is overdue, customer, round, and when it was opened."""
        ingest(lines(baccarat_round("r-2")))
        settle(at=by_now())
        late = timezone.now() - timedelta(days=90)
        first = disputed(at=late)
        second = disputed(pseudonym="p-2", at=timezone.now())
        third = disputed("r-2", at=timezone.now() + timedelta(minutes=1))
        take(third, at=timezone.now() + timedelta(minutes=2))
        middle = (timezone.now() - timedelta(days=9)).isoformat().replace("+", "%2B")

        found = {
            requested: [one["id"] for one in read(service(), f"?{requested}")["data"]]
            for requested in (
                "",
                "state=in_review",
                "overdue=true",
                "overdue=false",
                "customer=p-2",
                "round=r-2",
                f"round={first.round_id}",
                f"from={middle}",
                f"to={middle}",
                "state=opened&customer=p-1",
            )
        }

        assert [
            [str(one) for one in row]
            for row in (
                (third, second, first),
                (third,),
                (first,),
                (third, second),
                (second,),
                (third,),
                (second, first),
                (third, second),
                (first,),
                (first,),
            )
        ] == list(found.values())

    def test_skips_none_and_tells_none_twice(self) -> None:
        """Three a page, several opened at the same moment, others opened meanwhile."""
        documents = [baccarat_round(f"r-{number}") for number in range(2, 9)]
        ingest(lines(*documents))
        settle(at=by_now())
        before = [str(disputed(f"r-{number}")) for number in range(1, 8)]
        program, found = service(), list[str]()

        page = read(program, "?limit=3")
        disputed("r-8", bet_number=0, at=NOW + timedelta(days=1))
        while page["next"] is not None:
            found += [one["id"] for one in page["data"]]
            page = read(program, f"?limit=3&cursor={page['next']}")

        found += [one["id"] for one in page["data"]]
        assert found == before[::-1]

    @pytest.mark.parametrize(
        "query",
        [
            "state=lost",
            "overdue=1",
            "customer=nobody",
            "round=r-9",
            "from=yesterday",
            "to=2026-11-21",
            "limit=0",
            "cursor=x",
            "page=2",
        ],
    )
    def test_is_refused_for_invalid_parameters(self, query: str) -> None:
        """422 with the parameter."""
        found = service().get(f"{DISPUTES}?{query}")

        assert (found.status_code, slug_of(found)) == (422, "refused")
        assert json_of(found)["errors"][0]["field"] == f"query:{query.partition('=')[0]}"

    def test_leads_on_for_its_own_key_alone(self) -> None:
        """A cursor of another key is none."""
        disputed()
        disputed(pseudonym="p-2")
        following = read(service(), "?limit=1")["next"]

        found = service().get(f"{DISPUTES}?cursor={following}")

        assert slug_of(found) == "refused"

    def test_takes_as_many_queries_however_many_there_are(self) -> None:
        """Key, rate and record among them."""
        program, counts = service(), []
        disputed()
        read(program)

        for number in (0, 2):
            with CaptureQueriesContext(connection) as queries:
                read(program)
            counts.append(len(queries))
            disputed(bet_number=number)

        assert counts[0] == counts[1]


class TestAKeyOfSomeTables:
    def test_sees_disputes_of_their_rounds_alone(self) -> None:
        """404 for another's, by every address, and it is in no list."""
        open_table("bac-2")
        ingest(lines(baccarat_round("r-2", table="bac-2")))
        settle(at=by_now())
        theirs, other = disputed("r-2"), disputed()
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

        assert [one.status_code for one in answers] == [404] * 6
        assert [one["id"] for one in read(program)["data"]] == [str(theirs)]
        assert slug_of(program.get(f"{DISPUTES}?round=r-1")) == "refused"


class TestACustomersOwnToken:
    def test_reads_what_the_customer_may_know(self) -> None:
        """Nobody's name, no inner note, no sum of the round, nobody else's bets."""
        voided_wrongly()
        dispute = disputed()
        disputed(pseudonym="p-2")
        take(dispute)
        reject(dispute)
        close(dispute, note="Inner note.")
        program = own("p-1")

        found = [
            program.get(f"{DISPUTES}{path}") for path in ("", f"/{dispute}", f"/{dispute}/steps")
        ]

        text = "".join(one.content.decode() for one in found)
        for hidden in ("Paolo", "Anna", "Giulia", "Lorenzo", "worker", "Inner note", "p-2", '"b2"'):
            assert hidden not in text
        assert REASONS in text
        settlements = json_of(found[1])["finding"]["settlements"]
        assert [one["payout_cents"] for one in settlements] == [None, None]
        actions = {one["action"] for one in json_of(found[1])["finding"]["records"]}
        assert actions == {"ROUND_RECEIVED", "ROUND_SETTLED", "ROUND_VOIDED"}

    def test_learns_nothing_of_who_disputed_before(self) -> None:
        """Not even that somebody did."""
        disputed(pseudonym="p-2")

        found = contested(own("p-1"), customer=None)["finding"]

        assert "ROUND_DISPUTED" not in {one["action"] for one in found["records"]}
        assert found["earlier"] is None


def test_a_key_without_the_scope_reads_none() -> None:
    """disputes:write alone opens."""
    program = Program(issued(scopes=["disputes:write"]).token)

    assert slug_of(program.get(f"{DISPUTES}/{disputed()}")) == "scope-missing"
