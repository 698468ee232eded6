"""Rounds are delivered as documents, by the contract of the feed."""

import json
from typing import Any

import pytest
from django.test import TestCase

from compliance.trail.models import AuditRecord
from rounds.models import Bet, ConflictingDocument, QuarantinedDocument, QueuedRound, Round
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.studio import NDJSON, ROUNDS, answers, delivered, studio
from tests.casino_in_play import by_now, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, shoe

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


class TestADocument:
    def test_is_accepted(self) -> None:
        """201 with Sabot's id and Location; the round waits for the workers."""
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

    def test_is_recorded_as_delivered_by_the_key(self) -> None:
        """The audit record and the round's source name the key."""
        studio(owner="Evening Games").post(ROUNDS, baccarat_round("r-1"))

        record = AuditRecord.objects.get(action="ROUND_RECEIVED")
        assert record.actor.startswith("Evening Games (key ")
        assert Round.objects.get().source.startswith("API ")

    def test_again_is_known(self) -> None:
        """200 for equal content from any sender; nothing is stored twice."""
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
    def test_with_an_implausible_time_is_refused(
        self, fields: dict[str, Any], pointer: str
    ) -> None:
        """422 and quarantine; a line of a stream is treated alike."""
        document = baccarat_round("r-1", **fields)

        answer = studio().post(ROUNDS, document)
        streamed = answers(delivered(studio(), document))

        assert answer.status_code == 422
        assert [error["field"] for error in json_of(answer)["errors"]] == [pointer]
        assert [line["verdict"] for line in streamed] == ["refused"]
        assert QuarantinedDocument.objects.exists()
        assert not Round.objects.exists()

    def test_with_other_content_is_a_conflict(self) -> None:
        """409; the conflicting document is stored once."""
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
    def test_that_is_invalid_is_refused(
        self, change: dict[str, Any], error: tuple[str, str | None]
    ) -> None:
        """422 with path, value found and value needed; the document is quarantined."""
        answer = studio().post(ROUNDS, baccarat_round("r-1", **change))

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        [field_error] = json_of(answer)["errors"]
        assert field_error["field"] == error[0]
        assert error[1] in (None, field_error["found"])
        assert field_error["needed"]
        assert QuarantinedDocument.objects.get().round_reference == "r-1"
        assert not Round.objects.exists()

    @pytest.mark.parametrize("body", [b"{broken", b"[]", b"\xff", b"1"])
    def test_that_is_not_json_is_quarantined(self, body: bytes) -> None:
        """It is stored byte for byte."""
        answer = studio().post(ROUNDS, body)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")
        assert bytes(QuarantinedDocument.objects.get().content) == body

    def test_that_is_empty_is_malformed(self) -> None:
        """400; nothing is stored."""
        answer = studio().post(ROUNDS, b" \n")

        assert (answer.status_code, slug_of(answer)) == (400, "malformed")
        assert not QuarantinedDocument.objects.exists()

    def test_may_be_a_shoe(self) -> None:
        """Shoes have no id of Sabot's."""
        program = studio()

        first, again = (program.post(ROUNDS, shoe("s-1")) for _ in range(2))

        assert (first.status_code, again.status_code) == (201, 200)
        answers = [
            {name: value for name, value in json_of(answer).items() if value}
            for answer in (first, again)
        ]
        assert answers == [
            {"verdict": "accepted", "shoe": "s-1"},
            {"verdict": "known", "shoe": "s-1"},
        ]

    def test_needs_no_idempotency_key(self) -> None:
        """The studio's id makes the delivery idempotent."""
        statuses = [
            studio().call("POST", ROUNDS, baccarat_round("r-1")).status_code for _ in range(2)
        ]

        assert statuses == [201, 200]

    def test_with_an_idempotency_key_is_replayed(self) -> None:
        """The answer of the first delivery is returned."""
        program = studio()
        first = program.post(ROUNDS, baccarat_round("r-1"), once="a")

        again = program.post(ROUNDS, baccarat_round("r-1"), once="a")
        other = program.post(ROUNDS, baccarat_round("r-2"), once="a")

        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["Location"] == first.headers["Location"]
        assert slug_of(other) == "idempotency-key-reused"

    def test_wakes_the_workers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """After the commit."""
        rung: list[None] = []
        monkeypatch.setattr(
            "casino.api.rounds.collection.wake_settlement_workers", lambda: rung.append(None)
        )

        with TestCase.captureOnCommitCallbacks(execute=True):
            studio().post(ROUNDS, baccarat_round("r-1"))

        assert len(rung) == 1


class TestAKeyOfSomeTables:
    def test_writes_for_its_tables_only(self) -> None:
        """Documents of other tables are refused and quarantined with the name of the key."""
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
    def test_is_unsupported(self) -> None:
        """415 lists the supported media types."""
        answer = studio().post(ROUNDS, b"a,b", Content_Type="text/csv")

        assert (answer.status_code, slug_of(answer)) == (415, "unsupported-media-type")
        assert json_of(answer)["errors"][0]["needed"] == f"application/json, {NDJSON}"
