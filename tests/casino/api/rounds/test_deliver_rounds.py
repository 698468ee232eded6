"""Rounds are delivered as documents or streams, by the contract of the feed."""

import json
from typing import Any

import pytest
from django.test import TestCase

from compliance.storage.advisory_locks import lock_names
from compliance.trail.models import AuditRecord
from rounds.models import Bet, ConflictingDocument, QuarantinedDocument, QueuedRound, Round
from rounds.services import ingest as ingesting
from tests.casino.api.calling import json_of, slug_of
from tests.casino.api.studio import NDJSON, ROUNDS, answers, delivered, studio, whole
from tests.casino_in_play import by_now, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, shoe

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


class TestADocument:
    def test_is_taken(self) -> None:
        """201 with Sabot's id and where it is; it waits for the workers."""
        answer = studio().post(ROUNDS, baccarat_round("r-1"))

        row = Round.objects.get()
        assert answer.status_code == 201
        assert json_of(answer)["verdict"] == "accepted"
        assert (json_of(answer)["round"], json_of(answer)["id"]) == ("r-1", str(row.id))
        assert json_of(answer)["status"] == "waiting"
        assert (
            answer.headers["Location"] == f"{ROUNDS}/{row.id}" == json_of(answer)["links"]["self"]
        )
        assert (Bet.objects.count(), QueuedRound.objects.count()) == (3, 1)

    def test_names_its_key_as_who_brought_it(self) -> None:
        """In the trail and with the round."""
        studio(owner="Evening Games").post(ROUNDS, baccarat_round("r-1"))

        record = AuditRecord.objects.get(action="ROUND_RECEIVED")
        assert record.actor.startswith("Evening Games (key ")
        assert Round.objects.get().source.startswith("API ")

    def test_again_is_known(self) -> None:
        """200, whoever sends it and however it is spelt; nothing is stored twice."""
        first = studio().post(ROUNDS, baccarat_round("r-1"))
        settle(at=by_now())

        again = studio().post(ROUNDS, json.dumps(baccarat_round("r-1"), indent=2).encode())

        assert again.status_code == 200
        assert json_of(again) == {**json_of(first), "verdict": "known", "status": "settled"}
        assert Round.objects.count() == 1

    @pytest.mark.parametrize(
        ("fields", "pointer"),
        [
            ({"opened_at": "0001-01-01T00:00:00Z"}, "/opened_at"),
            ({"ended_at": "2999-01-01T00:00:00Z"}, "/ended_at"),
            (
                {"bets": [baccarat_bet("b1", "tie", "1.00", placed_at="9999-12-31T23:59:59Z")]},
                "/bets/0/placed_at",
            ),
        ],
    )
    def test_of_a_time_that_cannot_be_is_refused_by_its_field(
        self, fields: dict[str, Any], pointer: str
    ) -> None:
        """422, and in quarantine; as a line of a stream alike."""
        document = baccarat_round("r-1", **fields)

        answer = studio().post(ROUNDS, document)
        streamed = answers(delivered(studio(), document))

        assert answer.status_code == 422
        assert [error["field"] for error in json_of(answer)["errors"]] == [pointer]
        assert [line["verdict"] for line in streamed] == ["refused"]
        assert QuarantinedDocument.objects.exists()
        assert not Round.objects.exists()

    def test_with_other_content_is_a_conflict(self) -> None:
        """409; both documents are kept, once."""
        program = studio()
        program.post(ROUNDS, baccarat_round("r-1"))

        other = [program.post(ROUNDS, baccarat_round("r-1", session="M9")) for _ in range(2)]

        assert [(answer.status_code, slug_of(answer)) for answer in other] == [
            (409, "round-in-conflict")
        ] * 2
        assert ConflictingDocument.objects.count() == 1

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ({"rules": "whist/1"}, ("/rules", "'whist/1'")),
            ({"tabel": "bac-1"}, ("/tabel", None)),
            ({"table": "bac-9"}, ("/table", '"bac-9"')),
            ({"shoe": {"id": "s", "drawn": 1.5}}, ("/shoe/drawn", "1.5")),
            ({"bets": [{}]}, ("/bets/0/id", None)),
        ],
    )
    def test_that_cannot_be_taken_is_refused(
        self, change: dict[str, Any], error: tuple[str, str | None]
    ) -> None:
        """422 with the place in the document, what was found and what is needed; it is kept."""
        answer = studio().post(ROUNDS, baccarat_round("r-1", **change))

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        [field_error] = json_of(answer)["errors"]
        assert field_error["field"] == error[0]
        assert error[1] in (None, field_error["found"])
        assert field_error["needed"]
        assert QuarantinedDocument.objects.get().round_reference == "r-1"
        assert not Round.objects.exists()

    @pytest.mark.parametrize("body", [b"{broken", b"[]", b"\xff", b"1"])
    def test_that_is_none_is_refused(self, body: bytes) -> None:
        """Kept byte for byte."""
        answer = studio().post(ROUNDS, body)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert bytes(QuarantinedDocument.objects.get().content) == body

    def test_that_is_not_there_is_no_call(self) -> None:
        """Nothing is kept."""
        answer = studio().post(ROUNDS, b" \n")

        assert (answer.status_code, slug_of(answer)) == (400, "malformed")
        assert not QuarantinedDocument.objects.exists()

    def test_may_be_a_shoe(self) -> None:
        """It has no id of ours."""
        program = studio()

        first, again = (program.post(ROUNDS, shoe("s-1")) for _ in range(2))

        assert (first.status_code, json_of(first)) == (201, {"verdict": "accepted", "shoe": "s-1"})
        assert (again.status_code, json_of(again)) == (200, {"verdict": "known", "shoe": "s-1"})

    def test_needs_no_idempotency_key(self) -> None:
        """The studio's id of the round does as much."""
        statuses = [
            studio().call("POST", ROUNDS, baccarat_round("r-1")).status_code for _ in range(2)
        ]

        assert statuses == [201, 200]

    def test_with_an_idempotency_key_is_answered_alike(self) -> None:
        """Also where it was taken the first time."""
        program = studio()
        first = program.post(ROUNDS, baccarat_round("r-1"), once="a")

        again = program.post(ROUNDS, baccarat_round("r-1"), once="a")
        other = program.post(ROUNDS, baccarat_round("r-2"), once="a")

        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["Location"] == first.headers["Location"]
        assert slug_of(other) == "idempotency-key-reused"

    def test_rings_for_the_workers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Behind its commit."""
        rung: list[None] = []
        monkeypatch.setattr(
            "casino.api.rounds.collection.wake_settlement_workers", lambda: rung.append(None)
        )

        with TestCase.captureOnCommitCallbacks(execute=True):
            studio().post(ROUNDS, baccarat_round("r-1"))

        assert len(rung) == 1


class TestAStream:
    def test_is_answered_line_by_line(self) -> None:
        """By the number of the line; blank lines are counted."""
        program = studio()
        program.post(ROUNDS, baccarat_round("r-0"))

        answer = delivered(
            program,
            shoe("s-1"),
            "",
            baccarat_round("r-1"),
            baccarat_round("r-0"),
            baccarat_round("r-0", session="M9"),
            "{broken",
            baccarat_round("r-2", table="bac-9"),
        )

        verdicts = answers(answer)
        assert answer.headers["Content-Type"] == NDJSON
        assert [
            (verdict["line"], verdict["verdict"], verdict.get("round")) for verdict in verdicts
        ] == [
            (1, "accepted", None),
            (3, "accepted", "r-1"),
            (4, "known", "r-0"),
            (5, "conflict", "r-0"),
            (6, "refused", None),
            (7, "refused", "r-2"),
        ]
        assert verdicts[0]["shoe"] == "s-1"
        assert verdicts[1]["id"] == str(Round.objects.get(reference="r-1").id)
        assert verdicts[5]["errors"] == [
            {"field": "/table", "found": '"bac-9"', "needed": "a registered table"}
        ]

    def test_may_end_without_a_line_feed(self) -> None:
        """As a file may."""
        body = json.dumps(baccarat_round("r-1")).encode()

        answer = whole(studio().call("POST", ROUNDS, body, Content_Type=NDJSON))

        assert [verdict["verdict"] for verdict in answers(answer)] == ["accepted"]

    def test_of_nothing_is_answered_with_nothing(self) -> None:
        """It is a feed of no documents."""
        assert answers(delivered(studio(), "", " ")) == []

    def test_again_is_known_throughout(self) -> None:
        """So a stream that broke off is sent again."""
        documents = [baccarat_round(f"r-{number}") for number in range(3)]
        delivered(studio(), *documents[:2])

        verdicts = answers(delivered(studio(), *documents))

        assert [verdict["verdict"] for verdict in verdicts] == ["known", "known", "accepted"]

    def test_keeps_what_came_before_a_failure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Batch by batch; the answer says that it is to be sent again."""
        monkeypatch.setattr("rounds.documents.BATCH_DOCUMENTS", 2)
        documents = [baccarat_round(f"r-{number}") for number in range(4)]
        seen: list[None] = []

        def lock_twice(names: Any) -> None:
            seen.append(None)
            if len(seen) == 2:
                raise RuntimeError("the second batch")
            lock_names(names)

        monkeypatch.setattr(ingesting, "lock_names", lock_twice)
        answer = delivered(studio(), *documents)

        assert (answer.status_code, slug_of(answer)) == (500, "stream-stopped")
        assert list(Round.objects.order_by("arrival").values_list("reference", flat=True)) == [
            "r-0",
            "r-1",
        ]

    def test_has_lines_of_bounded_length(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """So that memory is; a longer document goes as a job."""
        monkeypatch.setattr("casino.api.rounds.bodies.LONGEST_LINE", 10_000)

        answer = delivered(studio(), baccarat_round("r-1"), "x" * 300_000)

        assert (answer.status_code, slug_of(answer)) == (413, "too-large")
        assert json_of(answer)["errors"][0]["field"] == "line:2"

    def test_is_one_call_on_record(self) -> None:
        """With the digest of all that was asked."""
        delivered(studio(), *(baccarat_round(f"r-{number}") for number in range(3)))

        record = AuditRecord.objects.get(action="API_CALLED")
        assert record.details["status"] == 200
        assert len(record.details["asked"]) == 64


class TestAKeyOfSomeTables:
    def test_writes_for_those_alone(self) -> None:
        """What is sent for another table is refused, and kept with the name of the key."""
        open_table("bac-2")
        program = studio(tables=["bac-1"])

        single = program.post(ROUNDS, baccarat_round("r-1", table="bac-2"))
        verdicts = answers(
            delivered(program, baccarat_round("r-2"), baccarat_round("r-3", table="bac-2"))
        )

        assert (single.status_code, slug_of(single)) == (422, "refused")
        assert json_of(single)["errors"] == [
            {"field": "/table", "found": '"bac-2"', "needed": "a table of the key: bac-1"}
        ]
        assert [verdict["verdict"] for verdict in verdicts] == ["accepted", "refused"]
        assert list(Round.objects.values_list("reference", flat=True)) == ["r-2"]
        assert QuarantinedDocument.objects.filter(source__startswith="API ").count() == 2


class TestAnotherForm:
    def test_is_not_read(self) -> None:
        """The media types that are, by name."""
        answer = studio().post(ROUNDS, b"a,b", Content_Type="text/csv")

        assert (answer.status_code, slug_of(answer)) == (415, "unsupported-media-type")
        assert json_of(answer)["errors"][0]["needed"] == f"application/json, {NDJSON}"
