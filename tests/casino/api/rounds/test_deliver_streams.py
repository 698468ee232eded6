"""Rounds are delivered as streams, a result for each line."""

import json
from typing import Any

import pytest

from compliance.storage.advisory_locks import lock_names
from compliance.trail.models import AuditRecord
from rounds.models import Round
from rounds.services import ingest as ingesting
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.studio import NDJSON, ROUNDS, answers, delivered, studio, whole
from tests.documents import baccarat_round, shoe

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


class TestAStream:
    def test_is_answered_line_by_line(self) -> None:
        """Each answer has the line number; blank lines are counted."""
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
        """The last line is read."""
        body = json.dumps(baccarat_round("r-1")).encode()

        answer = whole(studio().call("POST", ROUNDS, body, Content_Type=NDJSON))

        assert [verdict["verdict"] for verdict in answers(answer)] == ["accepted"]

    def test_of_nothing_is_answered_with_nothing(self) -> None:
        """A feed without documents has no answers."""
        assert answers(delivered(studio(), "", " ")) == []

    def test_again_is_known_throughout(self) -> None:
        """An interrupted stream can be sent again."""
        documents = [baccarat_round(f"r-{number}") for number in range(3)]
        delivered(studio(), *documents[:2])

        verdicts = answers(delivered(studio(), *documents))

        assert [verdict["verdict"] for verdict in verdicts] == ["known", "known", "accepted"]

    def test_keeps_the_batches_before_a_failure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The answer asks to send the stream again."""
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
        """Longer documents are sent as jobs."""
        monkeypatch.setattr("casino.api.rounds.bodies.LONGEST_LINE", 10_000)

        answer = delivered(studio(), baccarat_round("r-1"), "x" * 300_000)

        assert (answer.status_code, slug_of(answer)) == (413, "too-large")
        assert json_of(answer)["errors"][0]["field"] == "line:2"

    def test_is_recorded_as_one_call(self) -> None:
        """With the digest of the body."""
        delivered(studio(), *(baccarat_round(f"r-{number}") for number in range(3)))

        record = AuditRecord.objects.get(action="API_CALLED")
        assert record.details["status"] == 200
        assert len(record.details["asked"]) == 64
