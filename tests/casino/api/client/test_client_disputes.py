"""Disputes by the client: open, add evidence, answer, escalate, read (issue 8)."""

from datetime import date
from pathlib import Path

import pytest

from casino.api.client import Conflict, Sabot
from compliance.trail.log.append_to_log import append_to_log
from payouts.disputes.models import Dispute
from tests.casino.api.api_client import issued
from tests.casino.api.web_server import served
from tests.casino_in_play import by_now
from tests.compliance.trail.logs import KEY
from tests.payouts.disputes.dispute_scenarios import CITED, REASONS, ask, play, reject, take

_PDF = b"%PDF-1.7\n"


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_a_dispute_is_followed_from_its_opening_on(tmp_path: Path) -> None:
    """Every dispute call of the client, from opening to escalation."""
    play()
    with served(tmp_path, processes=1) as address, Sabot(address, issued().token) as sabot:
        opened, other = (
            sabot.disputes.open("r-1", bet=bet, reason="bonus", text="Wrong.", customer="p-1")
            for bet in ("b1", 2)
        )
        unchanged = sabot.disputes.get(opened.id, if_none_match=opened.etag)
        file = sabot.disputes.add_evidence(opened.id, "a.pdf", _PDF, if_match=opened.etag)
        with pytest.raises(Conflict, match="dispute-moved"):
            sabot.disputes.add_evidence(opened.id, "b.pdf", _PDF, if_match=opened.etag)
        content = sabot.disputes.file(opened.id, file.sha256)
        files = list(sabot.disputes.evidence(opened.id, limit=1))
        dispute = Dispute.objects.get(bet_number=0)
        take(dispute)
        ask(dispute)
        requested = sabot.disputes.get(opened.id)
        answered = sabot.disputes.answer(opened.id, "The third.", if_match=requested.etag)
        proposal = {"verdict": "rejected", "text": REASONS, "citations": [CITED[0]._asdict()]}
        proposed = sabot.disputes.propose(opened.id, proposal, if_match=answered.etag)
        proposals = list(sabot.disputes.proposals(opened.id, limit=1))
        reject(dispute)
        escalated = sabot.disputes.escalate(opened.id, reference="ADR 1", on_day=date(2026, 12, 1))
        steps = list(sabot.disputes.steps(opened.id, limit=2))
        append_to_log(KEY, now=by_now())
        proof = sabot.disputes.proof(opened.id, opened.finding.records[0].id)
        listed = [
            dispute.id for dispute in sabot.disputes.list(round_="r-1", overdue=False, limit=1)
        ]

    assert (opened.bet_number, other.bet_number, unchanged) == (0, 2, None)
    assert opened.finding.replay.agrees is True
    assert (proposed.verdict, proposals) == ("rejected", [proposed])
    assert (content, files) == (_PDF, [file])
    assert [requested.state, answered.state, escalated.state] == [
        "waiting",
        "in_review",
        "escalated",
    ]
    actions = ["opened", "taken", "asked", "answered", "rejected", "escalated"]
    assert [step.action for step in steps] == actions
    assert proof.proof == "sabot inclusion/1"
    assert listed == [other.id, opened.id]
