"""Programs propose decisions; only people decide."""

from typing import Any

import pytest

from payouts.disputes.models import Dispute, DisputeStep, VerdictProposal
from tests.casino.api.api_client import json_of, slug_of
from tests.casino.api.disputes.dispute_requests import DISPUTES, hand_in, own, service
from tests.casino.api.studio import studio
from tests.casino_in_play import open_table
from tests.payouts.disputes.dispute_scenarios import REASONS, ask, disputed, play, take

pytestmark = pytest.mark.django_db
_SAID: dict[str, Any] = {
    "verdict": "upheld",
    "text": REASONS,
    "citations": [{"sheet": "BAC", "heading": "Regole del baccarat"}],
    "way": "resettle",
    "remedy_words": "By its rules.",
    "accepted_loss_cents": 1300,
}


@pytest.fixture
def dispute() -> Dispute:
    """A dispute in review."""
    play()
    dispute = disputed()
    take(dispute)
    return dispute


def test_a_proposal_is_stored_and_listed(dispute: Dispute) -> None:
    """Page by page, oldest first; the dispute stays in review."""
    program, path = studio(owner="Adviser"), f"{DISPUTES}/{dispute}/proposals"

    created = program.post(path, _SAID)
    program.post(path, {**_SAID, "verdict": "rejected", "way": None})
    first = json_of(program.get(f"{path}?limit=1"))
    rest = json_of(program.get(f"{path}?limit=1&cursor={first['next']}"))

    assert created.status_code == 201
    assert json_of(program.get(created.headers["Location"])) == json_of(created) == first["data"][0]
    assert {name: json_of(created)[name] for name in _SAID} == _SAID
    assert (json_of(created)["step"], json_of(created)["actor"].startswith("Adviser (key ")) == (
        2,
        True,
    )
    assert [proposal["verdict"] for proposal in rest["data"]] == ["rejected"]
    assert rest["next"] is None
    assert DisputeStep.objects.count() == 2


def test_each_listed_heading_may_be_cited(dispute: Dispute) -> None:
    """Those of the sheet and of the feed contract; a proposal may cite all of them."""
    program = studio()
    headings = json_of(program.get(f"{DISPUTES}/{dispute}/headings"))["data"]

    answer = program.post(f"{DISPUTES}/{dispute}/proposals", {**_SAID, "citations": headings})

    assert answer.status_code == 201
    assert {heading["sheet"] for heading in headings} == {"BAC", "FEED"}
    assert _SAID["citations"][0] in headings


def test_a_proposal_is_that_of_its_dispute(dispute: Dispute) -> None:
    """Unknown proposals, and those of other disputes, are answered 404."""
    other, program = disputed(bet_number=0), studio()
    proposal = json_of(program.post(f"{DISPUTES}/{dispute}/proposals", _SAID))

    answers = [
        program.get(f"{DISPUTES}/{other}/proposals/{proposal['id']}"),
        program.get(f"{DISPUTES}/{dispute}/proposals/{proposal['id'] + 1}"),
    ]

    assert [(answer.status_code, slug_of(answer)) for answer in answers] == [(404, "not-found")] * 2


def test_a_proposal_is_refused_outside_of_review(dispute: Dispute) -> None:
    """409 names the state found and the state needed."""
    ask(dispute)

    answer = studio().post(f"{DISPUTES}/{dispute}/proposals", _SAID)

    assert (answer.status_code, slug_of(answer)) == (409, "dispute-stands-elsewhere")
    [error] = json_of(answer)["errors"]
    assert (error["found"], "in_review" in error["needed"]) == ("waiting", True)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"verdict": "closed"}, "/verdict"),
        ({"text": " "}, "/text"),
        ({"citations": []}, "/citations"),
        ({"citations": [{"sheet": "BAC", "heading": "Luck"}]}, "/citations"),
        ({"citations": [{"sheet": "BAC"}]}, "/citations/0/heading"),
        ({"way": "cheque"}, "/way"),
        ({"verdict": "rejected"}, "/way"),
    ],
)
def test_an_invalid_proposal_is_refused(
    dispute: Dispute, fields: dict[str, Any], field: str
) -> None:
    """422 names the field; nothing is stored."""
    answer = studio().post(f"{DISPUTES}/{dispute}/proposals", {**_SAID, **fields})

    assert (answer.status_code, slug_of(answer)) == (422, "refused")
    assert [error["field"] for error in json_of(answer)["errors"]] == [field]
    assert not VerdictProposal.objects.exists()


def test_a_proposal_needs_the_current_etag(dispute: Dispute) -> None:
    """412 once the dispute has changed."""
    program = studio()
    etag = program.get(f"{DISPUTES}/{dispute}").headers["ETag"]
    hand_in(program, str(dispute))

    answer = program.post(f"{DISPUTES}/{dispute}/proposals", _SAID, If_Match=etag)

    assert (answer.status_code, slug_of(answer)) == (412, "dispute-moved")


def test_other_keys_neither_propose_nor_read_proposals(dispute: Dispute) -> None:
    """Customer service and customers are refused; keys of other tables find no dispute."""
    open_table("bac-2")
    path = f"{DISPUTES}/{dispute}/proposals"

    for program, slug in (
        (service(), "scope-missing"),
        (own("p-1"), "scope-missing"),
        (studio(tables=["bac-2"]), "not-found"),
    ):
        assert [slug_of(program.get(path)), slug_of(program.post(path, _SAID))] == [slug] * 2
