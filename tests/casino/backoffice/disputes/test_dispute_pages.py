"""The pages of disputes: opening from a round, reviewing, following, the list."""

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from compliance.signatures.models import DecisionSignature
from compliance.trail.models import AuditRecord
from payouts.cases.models import Case
from payouts.disputes.calendar import Term
from payouts.disputes.close_dispute import FOLLOWER
from payouts.disputes.models import Dispute, DisputeEvidence, DisputeStep, DisputeTerm
from payouts.disputes.remind_disputes import remind_disputes
from payouts.disputes.set_dispute_term import set_dispute_term
from payouts.disputes.status import State
from tests.casino.backoffice.disputes.dispute_forms import LIST, address, decide, do
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, by_now
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.disputes.dispute_scenarios import (
    disputed,
    play,
    reject,
    state_of,
    take,
    voided_wrongly,
    whole,
)
from tests.payouts.settlement.resettlement_scenarios import LORENZO, stored

pytestmark = pytest.mark.django_db


class TestOpening:
    def test_leads_from_the_round_to_the_dispute(self, anna: Client) -> None:
        """Bet and customer are filled in; evidence and finding are stored."""
        play()
        voided_wrongly()
        row = stored()
        round_page = plain(anna, f"/admin/rounds/round/{row.pk}/change/")
        assert "Open a dispute" in round_page
        form = page_html(anna.get(f"{LIST}open/{row.pk}/", {"bet": "0"}))
        assert 'value="p-1"' in form
        assert 'value="b1"' in form
        fields = {
            "customer": "p-1",
            "bet": "b1",
            "reason": "wrong_payout",
            "claimed": "10.00",
            "language": "it",
            "text": "Player won.",
        }
        file = _png()

        answer = anna.post(f"{LIST}open/{row.pk}/", {**fields, "evidence": file}, follow=True)

        dispute = Dispute.objects.get()
        assert (dispute.actor, dispute.claimed_cents, dispute.bet_number) == ("Anna", 1000, 0)
        assert DisputeEvidence.objects.count() == 1
        words = plain(anna, answer.redirect_chain[-1][0])
        assert "The settlement differs from the rules." in words
        assert "+10.00" in words
        assert str(dispute) in plain(anna, f"/admin/rounds/round/{row.pk}/change/")

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"customer": "nobody"}, "Customer not found: nobody."),
            ({"bet": "b2"}, "The customer does not have this bet in this round."),
            ({"text": ""}, "This field is required."),
            ({"customer": "p-9"}, "The customer has no bet in this round."),
        ],
    )
    def test_says_what_is_wrong(self, anna: Client, fields: dict[str, str], words: str) -> None:
        """No dispute is opened."""
        other = [baccarat_bet("b1", "player", "1.00", player="p-9")]
        play(baccarat_round("r-1"), baccarat_round("r-2", bets=other))
        requested = {"customer": "p-1", "reason": "other", "language": "en", "text": "Wrong."}

        answer = anna.post(f"{LIST}open/{stored().pk}/", {**requested, **fields})

        assert words in page_html(answer)
        assert not Dispute.objects.exists()


class TestReviewing:
    def test_asks_and_keeps_the_answer(self, anna: Client, lorenzo: Client) -> None:
        """Compliance takes the dispute, payments asks the customer."""
        play()
        dispute = disputed()
        assert "The dispute is assigned to you." in do(lorenzo, dispute, "take")
        assert "Take over" in plain(lorenzo, address(dispute))

        do(anna, dispute, "ask", note="Which box?")
        assert state_of(dispute) is State.WAITING
        assert "can still answer" in plain(lorenzo, address(dispute))
        do(anna, dispute, "answer", note="The third.")

        words = plain(anna, address(dispute))
        assert "Which box?" in words
        assert "The third." in words
        assert "Only supervisors and compliance can decide." in words

    def test_names_who_changed_it_meanwhile(self, lorenzo: Client) -> None:
        """The second of two persons is refused."""
        play()
        dispute = disputed()
        take(dispute)

        answer = lorenzo.post(address(dispute, "take/"), {"seen": 1}, follow=True)

        assert "Paolo Riva changed this dispute" in page_html(answer)

    def test_lets_payments_decide_nothing(self, anna: Client) -> None:
        """Decisions are answered 403."""
        play()
        dispute = disputed()
        take(dispute)

        for action in ("take", "uphold", "reject", "close", "outside", "reopen"):
            assert anna.post(address(dispute, f"{action}/"), {"seen": 2}).status_code == 403

        assert DisputeStep.objects.count() == 2


class TestTheEnd:
    @pytest.mark.slow
    def test_may_be_escalated_and_reopened(self, anna: Client, lorenzo: Client) -> None:
        """Rejected, escalated, overturned, rejected again, closed, reopened."""
        play()
        dispute = disputed()
        take(dispute)
        decide(lorenzo, dispute, "reject")
        letter = {"reference": "ADR 1", "on_day": "2026-12-01", "note": ""}
        do(anna, dispute, "escalate", **letter)
        assert state_of(dispute) is State.ESCALATED
        do(lorenzo, dispute, "outside", **letter)  # an answer that says neither
        assert state_of(dispute) is State.ESCALATED
        do(lorenzo, dispute, "outside", confirmed="no", **letter)
        assert state_of(dispute) is State.IN_REVIEW
        decide(lorenzo, dispute, "reject", code="")
        do(lorenzo, dispute, "close")
        assert state_of(dispute) is State.CLOSED

        do(lorenzo, dispute, "reopen", note="A video turned up.")

        assert state_of(dispute) is State.IN_REVIEW
        words = plain(anna, address(dispute))
        for text in ("ADR 1, 1 Dec 2026", "Overturned by the external body", "A video turned up."):
            assert text in words

    def test_keeps_files(self, anna: Client) -> None:
        """Downloads equal the upload and are not run by the browser."""
        play()
        dispute = disputed()

        anna.post(address(dispute, "evidence/add/"), {"files": _png()})

        evidence = DisputeEvidence.objects.get()
        answer = anna.get(address(dispute, f"evidence/{evidence.pk}/"))
        assert answer.content == bytes(evidence.content)
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Disposition"].startswith("attachment")


class TestTheList:
    @pytest.mark.slow
    def test_is_filtered(self, anna: Client, lorenzo: Client) -> None:
        """Open, by state, all, overdue, own."""
        play()
        first, second, third = (
            disputed(at=timezone.now()),
            disputed(bet_number=0, at=timezone.now()),
            disputed(pseudonym="p-2", at=NOW.replace(year=2020)),
        )
        do(lorenzo, second, "take")
        take(first)
        reject(first)

        listed = {
            requested: [
                str(dispute) in plain(lorenzo, f"{LIST}?{requested}")
                for dispute in (first, second, third)
            ]
            for requested in (
                "",
                "which=all",
                "which=overdue",
                "which=rejected",
                "mine=on",
                "which=x",
            )
        }

        assert listed == {
            "": [True, True, True],
            "which=all": [True, True, True],
            "which=overdue": [False, False, True],
            "which=rejected": [True, False, False],
            "mine=on": [False, True, False],
            "which=x": [False, False, False],
        }
        assert "overdue" in plain(anna, f"{LIST}?which=overdue")

    def test_of_nothing_says_so(self, anna: Client) -> None:
        """An empty list has a text."""
        assert "No open disputes" in plain(anna, LIST)


class TestToday:
    def test_counts_overdue_disputes(self, lorenzo: Client) -> None:
        """With a link; their pages show a reminder."""
        play()
        dispute = disputed(at=NOW.replace(year=2020))
        remind_disputes(at=by_now(), actor=FOLLOWER)

        assert "1 dispute is overdue." in plain(lorenzo, "/admin/")
        assert "Reminder" in plain(lorenzo, address(dispute))

    def test_counts_due_disputes_apart(self, lorenzo: Client) -> None:
        """A dispute on its last working day is due, not overdue."""
        play()
        dispute = disputed()
        take(dispute)
        term = Term(1, are_working_days=True)
        set_dispute_term(state=State.REJECTED, term=term, at=NOW, actor=LORENZO)
        reject(dispute, at=timezone.now() - timedelta(days=1))

        words = plain(lorenzo, "/admin/")
        assert "1 dispute is due." in words
        assert "Disputes are overdue" not in words

    def test_has_no_stage_of_a_remedy_if_rejected(self, lorenzo: Client) -> None:
        """Nothing is to be done for the customer."""
        play()
        dispute = disputed()
        take(dispute)
        reject(dispute)

        page = page_html(lorenzo.get(address(dispute)))
        stages = page[page.index('<ol class="stages">') :].partition("</ol>")[0]

        assert "Decision" in stages
        assert "Remedy" not in stages

    def test_shows_a_remedy_in_progress(self, lorenzo: Client) -> None:
        """With a link to the case."""
        play()
        dispute = disputed()
        take(dispute)
        whole(dispute)

        words = plain(lorenzo, address(dispute))

        assert "The remedy is in progress" in words
        assert str(Case.objects.get()) in words


def _png() -> Any:
    file = BytesIO(b"\x89PNG\r\n\x1a\nscreen")
    file.name = "screen.png"
    return file


class TestATerm:
    def test_is_set_by_signature(self, lorenzo: Client) -> None:
        """Everybody sees the terms in force; compliance sets them."""
        fields = {"state": "waiting", "days": "10", "are_working_days": "on"}

        page = lorenzo.post("/admin/disputes/terms/", fields, follow=True)

        assert "Awaiting the customer 10 working days" in plain(lorenzo, "/admin/disputes/")
        assert "Deadline set." in page.content.decode()
        record = AuditRecord.objects.get(action="DISPUTE_TERM_SET")
        assert DecisionSignature.objects.filter(record_id=record.pk).exists()

    def test_that_is_invalid_is_not_set(self, lorenzo: Client) -> None:
        """The page says what is wrong."""
        fields = {"state": "waiting", "days": "366"}

        page = lorenzo.post("/admin/disputes/terms/", fields, follow=True)

        assert "less than or equal to 365" in page.content.decode()
        assert not DisputeTerm.objects.exists()
