"""A program's proposal is shown to the person who decides."""

import re

import pytest
from django.test import Client

from payouts.disputes.decide_dispute import Heading, citable_headings
from payouts.disputes.models import Dispute, VerdictProposal
from payouts.disputes.propose_verdict import ProposedVerdict, propose_verdict
from tests.casino.backoffice.cases.case_forms import browser_of, code_of_lorenzo, named
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW
from tests.payouts.disputes.dispute_scenarios import PROGRAM, disputed, play, seen, take

pytestmark = pytest.mark.django_db
_WORDS = "The <cards> show that Player won."


@pytest.fixture
def proposal() -> VerdictProposal:
    """A program proposes to uphold, citing a heading that the finding lacks."""
    play()
    dispute = disputed()
    take(dispute)
    proposed = ProposedVerdict(
        VerdictProposal.Verdict.UPHELD, _WORDS, [_other_heading(dispute)], None, "Pay it."
    )
    return propose_verdict(
        dispute_id=dispute.pk, seen=seen(dispute), proposed=proposed, at=NOW, actor=PROGRAM
    )


def _other_heading(dispute: Dispute) -> Heading:
    return citable_headings(dispute)[-1]


def address(proposal: VerdictProposal, requested: str = "") -> str:
    """The page of the dispute."""
    return f"/admin/disputes/{proposal.dispute_id}/{requested}"


def marked(page: str) -> list[str]:
    """The checked headings of the form."""
    checked = re.findall(r'value="(\d+)" checked><span>([^<]+)', page_html(page))
    return [heading for _number, heading in checked]


def test_a_proposal_is_shown_to_the_decider(lorenzo: Client, proposal: VerdictProposal) -> None:
    """With program, verdict, text, headings and remedy."""
    words = plain(lorenzo, address(proposal))

    [cited] = proposal.citations
    for text in ("Automated proposal: Upheld", PROGRAM.name, "Pay it."):
        assert text in words
    assert f"[{cited['sheet']}] {cited['heading']}" in words
    assert "Use this text" in words


def test_its_text_can_be_used(lorenzo: Client, proposal: VerdictProposal) -> None:
    """Text and headings are filled in, and kept when a remedy is chosen."""
    before = lorenzo.get(address(proposal)).content.decode()

    after = lorenzo.get(address(proposal, f"?proposal={proposal.pk}")).content.decode()

    [cited] = proposal.citations
    assert "required></textarea>" in before
    assert "required>The &lt;cards&gt; show that Player won.</textarea>" in after
    assert marked(before) != marked(after) == [f"[{cited['sheet']}] {cited['heading']}"]
    assert f"?remedy=goodwill&amp;proposal={proposal.pk}" in after
    assert "Use this text" not in after


def test_the_decision_names_the_decider(lorenzo: Client, proposal: VerdictProposal) -> None:
    """The actor is Lorenzo, not the program."""
    form = {
        "seen": seen(proposal.dispute),
        "note": _WORDS,
        "citations": ["0"],
        "code": code_of_lorenzo(),
    }

    lorenzo.post(address(proposal, "reject/"), form)

    step = proposal.dispute.steps.order_by("-sequence")[0]
    assert (step.action, step.actor, step.note) == ("rejected", "Lorenzo", _WORDS)


def test_it_is_hidden_from_other_roles(proposal: VerdictProposal) -> None:
    """Payments does not decide and does not see it."""
    anna = browser_of(named("Anna", "payments"))

    assert "Automated proposal" not in plain(anna, address(proposal))
