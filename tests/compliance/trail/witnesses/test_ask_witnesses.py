"""Witnesses are asked for their signatures, and a head counts once a quorum has signed it."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from compliance.trail.log.log_status import LATE
from compliance.trail.log.proofs import prove_record
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.log.tiles import last_checkpoint
from compliance.trail.models import AuditRecord, Cosignature
from compliance.trail.witnesses.ask_witnesses import ask_witnesses
from compliance.trail.witnesses.cosigned_heads import (
    last_cosigned_head,
    not_cosigned_since,
    witness_statuses,
)
from tests.compliance.trail.logs import append_signed, faults, grown, tamper, write
from tests.compliance.trail.lost_logs import continued, signing_persons
from tests.compliance.trail.witnesses.running_witness import (
    RunningWitness,
    obey,
    policy_of,
)

pytestmark = pytest.mark.django_db

Witnesses = list[RunningWitness]


def final_proof() -> dict[str, Any]:
    """The proof of the last record. Raises NotInLog until a quorum has cosigned it."""
    return prove_record(AuditRecord.objects.latest("id").id, is_final=True)


class TestAHead:
    def test_counts_once_a_quorum_has_cosigned(self, two: Witnesses) -> None:
        """Only then is it shown, and are proofs final."""
        grown(5)
        with pytest.raises(NotInLog, match="found no quorum of witnesses for record"):
            final_proof()
        with pytest.raises(NotInLog):
            last_checkpoint()
        first = prove_record(AuditRecord.objects.latest("id").id)
        assert "cosignatures" not in first

        assert ask_witnesses() == len(two)

        proof = final_proof()
        assert [line.split(" ")[1] for line in proof["cosignatures"]] == [
            "one.example/witness",
            "two.example/witness",
        ]
        assert {**first, "tlog_proof": 0} == {
            **{name: value for name, value in proof.items() if name != "cosignatures"},
            "tlog_proof": 0,
        }
        note = last_checkpoint()
        assert note.endswith("".join(proof["cosignatures"]))
        assert proof["tlog_proof"].endswith(note)
        for witness in two:
            assert note.startswith(witness.kept.rsplit("\N{EM DASH}", 1)[0])

    def test_is_signed_once_by_each(self, two: Witnesses) -> None:
        """Who has signed is not asked again."""
        grown(5)

        assert [ask_witnesses(), ask_witnesses()] == [2, 0]
        assert Cosignature.objects.count() == len(two)

    @pytest.mark.slow
    def test_proves_those_before_it(self, two: Witnesses) -> None:
        """Witnesses are not asked for each one; the proof is under the first one with a quorum."""
        for records in (1, 300, 7, 256):
            grown(records)
        ask_witnesses()
        grown(3)
        ask_witnesses()

        first = AuditRecord.objects.earliest("id").id
        proof = prove_record(first, is_final=True)

        assert proof["head"]["sequence"] == 4
        assert proof == prove_record(first)
        assert faults() == []

    @pytest.mark.slow
    def test_of_each_size_is_proved_to_grow(self, two: Witnesses) -> None:
        """By the two implementations of the tree."""
        for records in (1, 1, 1, 2, 3, 8, 17, 31, 192, 1, 255, 300):
            grown(records)
            assert ask_witnesses() == len(two)

    @pytest.mark.slow
    def test_keeps_its_proofs_when_more_witnesses_sign(self, two: Witnesses) -> None:
        """A proof is made once: what comes later changes no byte of it."""
        obey(two, "any")
        two[1].end()
        grown(5)
        ask_witnesses()
        before = final_proof()
        two[1].start()
        obey(two, "any")

        assert ask_witnesses() == 1
        assert final_proof() == before
        assert last_checkpoint().count("witness") == 2

    def test_without_a_policy_needs_nobody(self) -> None:
        """As before there were witnesses."""
        grown(5)

        assert ask_witnesses() == 0
        assert "cosignatures" not in final_proof()
        assert last_checkpoint().count("\N{EM DASH}") == 1
        assert not_cosigned_since() is None


class TestAWitness:
    @pytest.mark.slow
    def test_that_does_not_answer_gets_the_next_head(
        self, two: Witnesses, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Since when is told, and it continues from what it has seen."""
        grown(5)
        ask_witnesses()
        two[0].end()
        seen = grown(5)

        assert ask_witnesses() == 1
        assert "witness one.example/witness has not signed: ConnectionError" in caplog.text
        late, other = witness_statuses()
        assert late.behind_since is not None
        assert not_cosigned_since() == late.behind_since
        assert not late.is_late(late.behind_since + LATE)
        assert late.is_late(late.behind_since + LATE + timedelta(seconds=1))
        assert other.behind_since is None

        two[0].start()
        obey(two)
        assert ask_witnesses() == 1
        last = last_cosigned_head()
        assert last is not None
        assert last.head.sequence == seen.sequence
        assert not_cosigned_since() is None

    @pytest.mark.slow
    def test_that_was_killed_remembers(self, two: Witnesses) -> None:
        """It stored what it signed before it answered; Sabot may not have stored the answer."""
        grown(5)
        ask_witnesses()
        tamper("DELETE FROM trail_cosignature")
        for witness in two:
            witness.end()
            witness.start()
        obey(two)

        assert ask_witnesses() == 2
        grown(5)
        tamper("DELETE FROM trail_cosignature")
        assert ask_witnesses() == 2


class TestALogThatChanged:
    def test_in_two_histories_gets_no_quorum(
        self, two: Witnesses, caplog: pytest.LogCaptureFixture
    ) -> None:
        """What one witness has signed, no other log can get: the split view is found at once."""
        grown(260)
        before = transaction.savepoint()
        settings.LOG_POLICY = policy_of(two[:1])
        grown(7, minute=1)
        ask_witnesses()
        transaction.savepoint_rollback(before)
        obey(two)
        grown(9, minute=2)

        assert ask_witnesses() == 1
        assert "witness one.example/witness REFUSES the log" in caplog.text
        assert "this log does not begin with the one that it signed" in caplog.text
        assert "refused with 422" in two[0].says() + two[0].says()
        with pytest.raises(NotInLog):
            final_proof()

    def test_in_two_histories_of_one_size_is_evidence(
        self, two: Witnesses, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The witness keeps both signed heads, which contradict each other for anybody."""
        before = transaction.savepoint()
        grown(7, minute=1)
        ask_witnesses()
        seen = two[0].kept
        transaction.savepoint_rollback(before)
        grown(7, minute=2)

        assert ask_witnesses() == 0
        assert caplog.text.count("another log of 8 records was signed before") == len(two)
        for witness in two:
            assert "WRONG: ANOTHER HISTORY" in "".join(witness.says() for _ in range(3))
            evidence = witness.folder / "evidence-1"
            assert seen.startswith((evidence / "seen-before").read_text())
            assert (evidence / "shown-now").read_text() != (evidence / "seen-before").read_text()
        ask_witnesses()
        assert len([*two[0].folder.glob("evidence-*")]) == 1

    @pytest.mark.slow
    def test_was_rolled_back(self, two: Witnesses, caplog: pytest.LogCaptureFixture) -> None:
        """A restored database ends before what was signed, until its loss is declared."""
        before = transaction.savepoint()
        grown(300)
        ask_witnesses()
        transaction.savepoint_rollback(before)
        grown(5)

        assert ask_witnesses() == 0
        assert "it has signed a log of 301 records; this one has 6" in caplog.text
        with pytest.raises(NotInLog):
            final_proof()

    @pytest.mark.slow
    def test_is_cosigned_again_once_its_loss_is_declared(
        self, two: Witnesses, caplog: pytest.LogCaptureFixture
    ) -> None:
        """It continues from the last head that they signed, which the database has lost."""
        signing_persons()
        write(5)
        stored = append_signed()
        before = transaction.savepoint()
        write(300)
        lost = append_signed(witnessed=stored)
        assert ask_witnesses() == len(two)
        transaction.savepoint_rollback(before)
        assert ask_witnesses() == 0
        assert caplog.text.count("REFUSES the log") == len(two)

        continued(lost)

        assert ask_witnesses() == len(two)
        declared = AuditRecord.objects.get(action="LOG_GAP_CONFIRMED")
        after = prove_record(declared.id, is_final=True)
        assert after["head"]["sequence"] == lost.head.sequence + 1
        assert len(after["cosignatures"]) == len(two)
        before_it = prove_record(AuditRecord.objects.earliest("id").id, is_final=True)
        assert before_it["head"]["sequence"] == stored.head.sequence
        assert "cosignatures" not in before_it  # theirs were lost with the records in between

    def test_in_a_cosignature_is_found(self, two: Witnesses) -> None:
        """Any column of it, by the verification of the trail."""
        grown(5)
        ask_witnesses()
        assert faults() == []
        for change in (
            "at = at + interval '1 second'",
            "signature = sha512('')",
            "witness = replace(witness, 'one', 'two')",
            "witness = 'nobody'",
        ):
            before = transaction.savepoint()
            tamper(f"UPDATE trail_cosignature SET {change} WHERE witness LIKE 'one%%'")
            assert [fault.kind for fault in faults()] == ["cosignature"]
            transaction.savepoint_rollback(before)

    def test_is_not_believed_by_rows_alone(self, two: Witnesses) -> None:
        """Whoever writes the tables, but has no key of a named witness, makes no quorum."""
        grown(5)
        settings.LOG_POLICY = policy_of(two[:1])
        ask_witnesses()
        tamper(
            "INSERT INTO trail_cosignature (head_id, witness, at, signature)"
            " SELECT head_id, %s, at, signature FROM trail_cosignature",
            str(two[1].key),
        )
        obey(two)

        with pytest.raises(NotInLog):
            final_proof()
        with pytest.raises(NotInLog):
            last_checkpoint()
        assert [fault.kind for fault in faults()] == ["cosignature"]
