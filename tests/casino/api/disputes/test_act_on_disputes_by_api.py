"""Programs submit answers and escalations, conditionally on the ETag they read."""

from typing import Any

import pytest

from payouts.disputes.models import Dispute, DisputeStep
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, PDF, hand_in, own, service
from tests.payouts.disputes.dispute_scenarios import ask, disputed, play, reject, take

pytestmark = pytest.mark.django_db
_LETTER = {"reference": "ADR 12/2026", "on_day": "2026-12-01"}


@pytest.fixture
def waiting_dispute() -> Dispute:
    """A dispute that waits for the customer's answer."""
    play()
    dispute = disputed()
    take(dispute)
    ask(dispute)
    return dispute


@pytest.fixture
def rejected() -> Dispute:
    """A rejected dispute."""
    play()
    dispute = disputed()
    take(dispute)
    reject(dispute)
    return dispute


def latest(dispute: Dispute) -> DisputeStep:
    """The latest step."""
    return DisputeStep.objects.filter(dispute=dispute).order_by("-sequence")[0]


@pytest.mark.parametrize("sender", ["program", "customer"])
class TestAnAnswer:
    def test_brings_the_dispute_back_into_review(
        self, waiting_dispute: Dispute, sender: str
    ) -> None:
        """Customer service and the customer may answer."""
        caller = service() if sender == "program" else own("p-1")

        answer = caller.post(f"{DISPUTES}/{waiting_dispute}/answers", {"text": " The third. "})

        assert answer.status_code == 201
        assert (json_of(answer)["state"], json_of(answer)["question"]) == ("in_review", None)
        step = latest(waiting_dispute)
        assert (step.action, step.note, step.actor_user_id) == ("answered", "The third.", None)

    def test_is_refused_without_a_question(self, rejected: Dispute, sender: str) -> None:
        """409 names the state found and the state needed."""
        caller = service() if sender == "program" else own("p-1")

        answer = caller.post(f"{DISPUTES}/{rejected}/answers", {"text": "The third."})

        assert (answer.status_code, slug_of(answer)) == (409, "dispute-stands-elsewhere")
        [error] = json_of(answer)["errors"]
        assert (error["field"], error["found"]) == ("state", "rejected")
        assert "waiting" in error["needed"]


@pytest.mark.parametrize("sender", ["program", "customer"])
class TestAnEscalation:
    def test_puts_the_dispute_before_the_outside_body(self, rejected: Dispute, sender: str) -> None:
        """The escalation records reference and note of the letter."""
        caller = service() if sender == "program" else own("p-1")

        answer = caller.post(f"{DISPUTES}/{rejected}/escalations", {**_LETTER, "text": "Sent."})

        assert (answer.status_code, json_of(answer)["state"]) == (201, "escalated")
        step = latest(rejected)
        assert (step.action, step.reference, step.note) == ("escalated", "ADR 12/2026", "Sent.")

    def test_is_refused_before_a_decision(self, waiting_dispute: Dispute, sender: str) -> None:
        """409 names the state found."""
        caller = service() if sender == "program" else own("p-1")

        answer = caller.post(f"{DISPUTES}/{waiting_dispute}/escalations", _LETTER)

        assert (answer.status_code, slug_of(answer)) == (409, "dispute-stands-elsewhere")
        assert json_of(answer)["errors"][0]["found"] == "waiting"


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("answers", {"text": ""}, "/text"),
        ("answers", {"text": " "}, "/text"),
        ("answers", {}, "/text"),
        ("answers", {"text": "x" * 4_001}, "/text"),
        ("escalations", {**_LETTER, "reference": " "}, "/reference"),
        ("escalations", {"reference": "ADR"}, "/on_day"),
        ("escalations", {**_LETTER, "on_day": "soon"}, "/on_day"),
    ],
)
def test_what_is_missing_is_named(
    waiting_dispute: Dispute, path: str, body: dict[str, Any], field: str
) -> None:
    """A missing field is answered 422, without effect."""
    answer = service().post(f"{DISPUTES}/{waiting_dispute}/{path}", body)

    assert (answer.status_code, slug_of(answer)) == (422, "refused")
    assert [error["field"] for error in json_of(answer)["errors"]] == [field]
    assert latest(waiting_dispute).action == "asked"


class TestIfMatch:
    def do(self, program: Program, dispute: Dispute, operation: str, etag: str) -> Any:
        """Sends an operation with this ETag in If-Match."""
        if operation == "evidence":
            return hand_in(program, str(dispute), PDF, If_Match=etag)
        return program.post(
            f"{DISPUTES}/{dispute}/{operation}", {"text": "The third."}, If_Match=etag
        )

    @pytest.mark.parametrize("operation", ["answers", "evidence"])
    def test_lets_a_program_act_on_what_it_read(
        self, waiting_dispute: Dispute, operation: str
    ) -> None:
        """Strong and weak ETags are accepted."""
        program = service()
        etag = program.get(f"{DISPUTES}/{waiting_dispute}").headers["ETag"]
        weak = f'"x", W/{etag}'

        assert self.do(program, waiting_dispute, operation, weak).status_code == 201

    def test_takes_any_state_for_a_star(self, waiting_dispute: Dispute) -> None:
        """``If-Match: *`` accepts any state."""
        assert self.do(service(), waiting_dispute, "answers", "*").status_code == 201

    @pytest.mark.parametrize("operation", ["answers", "evidence"])
    def test_refuses_another_etag(self, waiting_dispute: Dispute, operation: str) -> None:
        """412 has both ETags; nothing is done."""
        program = service()
        path = f"{DISPUTES}/{waiting_dispute}"
        etag = program.get(path).headers["ETag"]
        hand_in(program, str(waiting_dispute), PDF + b"other")

        answer = self.do(program, waiting_dispute, operation, etag)

        assert (answer.status_code, slug_of(answer)) == (412, "dispute-moved")
        [error] = json_of(answer)["errors"]
        now = program.get(path).headers["ETag"]
        assert (error["found"], error["needed"]) == (etag, now)
        assert latest(waiting_dispute).action == "asked"
        assert json_of(program.get(path))["evidence_count"] == 1
