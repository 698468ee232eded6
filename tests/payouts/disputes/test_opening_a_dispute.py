"""Opening disputes: who may dispute what, and the finding."""

from typing import Any

import pytest

from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute, DisputeFinding, DisputeStep
from payouts.disputes.open_dispute import (
    BetOfOtherCustomer,
    DisputeContentMissing,
    DuplicateDispute,
    NoBetInRound,
)
from payouts.disputes.replay_comparison import digest_of_finding
from payouts.evidence import File, InvalidEvidence
from tests.casino_in_play import NOW
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.disputes.dispute_scenarios import ANNA, close, disputed, play, reject, take

pytestmark = pytest.mark.django_db


class TestADispute:
    def test_is_opened_with_its_finding_and_records(self) -> None:
        """Dispute, first step, finding and records in one transaction."""
        play()

        dispute = disputed(claimed_cents=500, bet_number=2)

        assert str(dispute) == f"D-{dispute.pk:04}"
        [step] = DisputeStep.objects.filter(dispute=dispute)
        assert (step.action, step.actor) == ("opened", ANNA.name)
        finding = DisputeFinding.objects.get(dispute=dispute)
        assert bytes(finding.digest) == digest_of_finding(finding.content)
        of_dispute = AuditRecord.objects.filter(subject=f"dispute:{dispute}").order_by("id")
        assert list(of_dispute.values_list("action", flat=True)) == [
            "DISPUTE_OPENED",
            "DISPUTE_FOUND",
        ]
        assert AuditRecord.objects.filter(subject="round:r-1", action="ROUND_DISPUTED").exists()

    def test_keeps_evidence(self) -> None:
        """With its digest; unsupported files are refused with the dispute."""
        play()
        dispute = disputed(files=[File("screen.png", b"\x89PNG\r\n\x1a\nx")])
        assert [file.content_type for file in dispute.evidence.all()] == ["image/png"]

        with pytest.raises(InvalidEvidence):
            disputed(bet_number=0, files=[File("run.exe", b"MZ")])

        assert Dispute.objects.count() == 1

    @pytest.mark.parametrize(
        ("arguments", "refusal"),
        [
            ({"text": " "}, DisputeContentMissing),
            ({"claimed_cents": 0}, DisputeContentMissing),
            ({"claimed_cents": -1}, DisputeContentMissing),
            ({"bet_number": 1}, BetOfOtherCustomer),  # of p-2
            ({"bet_number": 99}, BetOfOtherCustomer),
            ({"reference": "r-2", "pseudonym": "p-2"}, NoBetInRound),
        ],
    )
    def test_is_refused(self, arguments: dict[str, Any], refusal: type[Exception]) -> None:
        """The error has field, value found and value needed; nothing is written."""
        only_his = [baccarat_bet("b1", "player", "10.00")]
        play(baccarat_round("r-1"), baccarat_round("r-2", bets=only_his))

        with pytest.raises(refusal, match=r"found .*; needed "):
            disputed(**arguments)

        assert not Dispute.objects.exists()

    def test_may_be_about_a_bet_that_never_arrived(self) -> None:
        """The customer then needs no bet in the round."""
        only_his = [baccarat_bet("b1", "player", "10.00")]
        play(baccarat_round("r-1"), baccarat_round("r-2", bets=only_his))

        dispute = disputed("r-2", "p-2", reason=Dispute.Reason.BET_NOT_RECOGNISED)

        content = DisputeFinding.objects.get(dispute=dispute).content
        assert content["bets"] == []
        assert content["replay"]["agrees"] is None

    def test_is_open_once_about_the_same(self) -> None:
        """Another bet, another customer or a closed dispute do not count."""
        play()
        first = disputed()
        with pytest.raises(DuplicateDispute) as refused:
            disputed()
        assert refused.value.dispute == first
        disputed(bet_number=0)
        disputed(pseudonym="p-2")
        take(first)
        reject(first)
        close(first)

        assert disputed(at=NOW).pk > first.pk
