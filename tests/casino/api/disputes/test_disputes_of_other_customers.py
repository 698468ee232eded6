"""A customer never reads or changes the disputes of another (issue 8)."""

from collections.abc import Callable
from typing import Final

import pytest
from django.http import HttpResponse

from payouts.disputes.models import Dispute, DisputeEvidence, DisputeStep
from tests.casino.api.api_client import Program, json_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, PNG, hand_in, own, service
from tests.payouts.disputes.dispute_scenarios import ask, disputed, play, take

pytestmark = pytest.mark.django_db
_LETTER: Final = {"reference": "ADR 12/2026", "on_day": "2026-12-01"}
Call = Callable[[Program, Dispute, str], HttpResponse]
CALLS: Final[dict[str, Call]] = {
    "read": lambda program, dispute, _file: program.get(f"{DISPUTES}/{dispute}"),
    "read its steps": lambda program, dispute, _file: program.get(f"{DISPUTES}/{dispute}/steps"),
    "read a proof": lambda program, dispute, _file: program.get(
        f"{DISPUTES}/{dispute}/proofs/{_record_of(dispute)}"
    ),
    "list its files": lambda program, dispute, _file: program.get(f"{DISPUTES}/{dispute}/evidence"),
    "read its file": lambda program, dispute, file: program.get(
        f"{DISPUTES}/{dispute}/evidence/{file}"
    ),
    "add a file": lambda program, dispute, _file: hand_in(program, str(dispute)),
    "answer": lambda program, dispute, _file: program.post(
        f"{DISPUTES}/{dispute}/answers", {"text": "I."}
    ),
    "escalate": lambda program, dispute, _file: program.post(
        f"{DISPUTES}/{dispute}/escalations", _LETTER
    ),
}


def _record_of(dispute: Dispute) -> str:
    return str(dispute.finding.content["records"][0]["id"])


@pytest.fixture
def disputes() -> dict[str, Dispute]:
    """A dispute of each customer in the same round, with a question and a file."""
    play()
    disputes_of = {pseudonym: disputed(pseudonym=pseudonym) for pseudonym in ("p-1", "p-2")}
    for pseudonym, dispute in disputes_of.items():
        take(dispute)
        ask(dispute)
        hand_in(service(), str(dispute), PNG + pseudonym.encode(), name=f"of-{pseudonym}.png")
    return disputes_of


def file_of(dispute: Dispute) -> str:
    """The path of the dispute's file."""
    return bytes(DisputeEvidence.objects.get(dispute=dispute).digest).hex()


@pytest.mark.parametrize(("me", "other"), [("p-1", "p-2"), ("p-2", "p-1")])
def test_disputes_of_others_are_not_found(
    disputes: dict[str, Dispute], me: str, other: str
) -> None:
    """Every call is answered 404, as for a missing dispute."""
    other_dispute, steps = disputes[other], DisputeStep.objects.count()
    nowhere = CALLS["read"](own(me), Dispute(pk=9_999), "")
    assert nowhere.status_code == 404

    for name, call in CALLS.items():
        answer = call(own(me), other_dispute, file_of(other_dispute))

        assert answer.status_code == 404, name
        assert json_of(answer)["errors"][0]["needed"] == json_of(nowhere)["errors"][0]["needed"]
        assert (DisputeStep.objects.count(), DisputeEvidence.objects.count()) == (steps, 2), name


def test_a_file_of_another_dispute_is_not_found_by_the_own_dispute(
    disputes: dict[str, Dispute],
) -> None:
    """The digest of another's file is not found in one's own dispute."""
    other_file = file_of(disputes["p-2"])

    answer = own("p-1").get(f"{DISPUTES}/{disputes['p-1']}/evidence/{other_file}")

    assert answer.status_code == 404


@pytest.mark.parametrize(("me", "other"), [("p-1", "p-2"), ("p-2", "p-1")])
def test_each_customer_lists_their_own(disputes: dict[str, Dispute], me: str, other: str) -> None:
    """Filtering by another customer is refused like by an unknown one."""
    program = own(me)

    lists = [
        json_of(program.get(f"{DISPUTES}{query}"))
        for query in ("", f"?customer={me}", "?round=r-1")
    ]
    refused = [program.get(f"{DISPUTES}?customer={customer}") for customer in (other, "nobody")]

    assert [[row["id"] for row in listed["data"]] for listed in lists] == [[str(disputes[me])]] * 3
    assert [answer.status_code for answer in refused] == [422] * 2


@pytest.mark.parametrize(("me", "other"), [("p-1", "p-2"), ("p-2", "p-1")])
def test_own_disputes_contain_nothing_of_other_customers(
    disputes: dict[str, Dispute], me: str, other: str
) -> None:
    """No answer contains the other's pseudonym, dispute or file."""
    own_dispute, program = disputes[me], own(me)

    answers = [
        program.get(DISPUTES),
        *(
            call(program, own_dispute, file_of(own_dispute))
            for name, call in CALLS.items()
            if "read" in name or "list" in name
        ),
    ]

    for answer in answers:
        assert answer.status_code in (200, 409)
        text = answer.content.decode(errors="replace")
        assert f'"{other}"' not in text
        assert str(disputes[other]) not in text
        assert f"of-{other}" not in text
