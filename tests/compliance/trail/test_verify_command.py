"""`manage.py verify_trail`, as an auditor runs it."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from compliance.signatures.log_keys import approve_log_key
from compliance.trail.batches import record_id
from compliance.trail.log.signed_heads import key_id_of, raw_key
from compliance.trail.models import AuditBatch
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import KEY, OTHER_KEY, tamper, three_heads
from tests.payouts.reconciliation.four_rounds import play_small
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import give_accounts


@pytest.mark.usefixtures("fresh_casino")
class TestTheCommand:
    def test_prints_what_was_verified(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Records, with that of the first reasons, heads and waiting batches.

        Two persons signed for the second key.
        """
        other = key_id_of(raw_key(OTHER_KEY.public_key()))
        for actor in (GIULIA, LORENZO):
            approve_log_key(key_id=other, reason="yearly", at=NOW, actor=actor)
        head = three_heads()
        give_accounts()
        head_file = tmp_path / "head.json"
        head_file.write_text(json.dumps(head.as_json()))

        call_command("verify_trail", head=head_file, key_id=key_id_of(raw_key(KEY.public_key())))

        output = capsys.readouterr().out
        assert "577 records, 577 of them in the log under 3 signed heads" in output
        assert "0 batches pending" in output
        assert "triggers, functions and constraints, compared with the code" in output
        assert "no faults" in output

    def test_names_the_first_wrong_row(self) -> None:
        """And exits with an error."""
        three_heads()
        batch = AuditBatch.objects.order_by("id")[1]
        wrong = record_id(batch.id, 17)
        with transaction.atomic():
            tamper("UPDATE trail_auditrecord SET actor = 'nobody' WHERE id = %s", wrong)

        with pytest.raises(CommandError, match=f"first fault: record {wrong}: the record does not"):
            call_command("verify_trail")

    def test_names_money_that_was_changed(self, capsys: pytest.CaptureFixture[str]) -> None:
        """A bet that paid a cent more is reported by the facts; the trail does not cover it.

        One of three rounds was voided, so bets on Player paid 20.00 and 10.00 that day.
        """
        play_small()
        with transaction.atomic():
            tamper("UPDATE payouts_betsettlement SET payout_cents = 2001 WHERE payout_cents = 2000")

        call_command("verify_trail", trail_only=True)
        with pytest.raises(CommandError, match=r"Player: found paid 30\.00; needed paid 30\.01"):
            call_command("verify_trail")

        assert "4 rounds, 12 bets" in capsys.readouterr().out

    def test_needs_a_head_that_can_be_read(self, tmp_path: Path) -> None:
        """The error names the file."""
        with pytest.raises(CommandError, match="contains no signed head"):
            call_command("verify_trail", head=tmp_path / "missing.json")
