"""Cases from opening to execution, for each remedy; the books agree afterwards."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from compliance.trail.models import AuditRecord
from payouts.cases.models import CaseRun, CaseWork
from payouts.cases.remedies import Remedy
from payouts.reconciliation.reconcile import figures_of
from payouts.settlement.models import BetSettlement, Settlement
from payouts.settlement.resettle import Resettlement
from payouts.settlement.resettle_round import resettle_round
from rounds.models import StoredRuling, Validation
from rounds.rules.ruling import Ruling
from tests.books import assert_books_are_right
from tests.casino_in_play import NOW, ingest, limit_stakes, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import (
    NO_EXTRA_CARD,
    approve,
    decided,
    execute,
    opened,
    propose,
)
from tests.payouts.reconciliation.five_games import differences, reconciled, tamper
from tests.payouts.settlement.resettlement_scenarios import (
    GIULIA,
    LORENZO,
    balance,
    sequences,
    stored,
)
from tests.rounds.contract.by_hand import MFB, bet, deal


def open_and_play(*documents: object) -> list[bytes]:
    """A baccarat table and these rounds, settled or held."""
    open_table()
    feed = lines(*documents)
    ingest(feed)
    settle()
    return feed


class TestAMalfunction:
    @pytest.mark.django_db
    def test_is_voided_by_the_rule_of_the_sheet(self) -> None:
        """All stakes are returned, and the rule is cited."""
        feed = open_and_play(baccarat_round("r-1"), baccarat_round("r-2"))

        case, outcomes = decided("malfunction", "r-1", "r-2", remedy=Remedy.VOID)

        assert outcomes == [("done", 2), ("done", 2)]
        assert str(case) == f"M-{case.pk:04}"
        assert CaseRun.objects.get(case=case).finished_at is not None
        reasons = BetSettlement.objects.filter(sequence=2).values_list("reasons", flat=True)
        assert {tuple(reason) for reason in reasons} == {("void-malfunction",)}
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (2400, 2000)
        assert_books_are_right(feed)

    def test_is_no_difference_of_the_books(self, fresh_casino: str) -> None:
        """Two persons decide what the rules then say: neither's reason alone is expected."""
        open_and_play(baccarat_round("r-1"))

        decided("malfunction", "r-1", remedy=Remedy.VOID)

        assert figures_of(reconciled())["differences"] == 0

    @pytest.mark.django_db
    def test_names_both_persons_and_the_case_in_the_settlement(self) -> None:
        """Proposer, approver and the case are in the settlement."""
        open_and_play(baccarat_round("r-1"))

        case, _done = decided("malfunction", "r-1", remedy=Remedy.VOID)

        settlement = Settlement.objects.get(sequence=2)
        assert (settlement.actor, settlement.approved_by) == (GIULIA.name, LORENZO.name)
        assert (
            settlement.reason == f"{case}: Lettore di carte: carte lette male. Seen on the video."
        )

    @pytest.mark.django_db
    def test_is_recorded_step_by_step(self) -> None:
        """For the case and for its round."""
        open_and_play(baccarat_round("r-1"))

        case, _done = decided("malfunction", "r-1", remedy=Remedy.VOID)

        of_case = AuditRecord.objects.filter(subject=f"case:{case}").order_by("id")
        assert list(of_case.values_list("action", "actor")) == [
            ("CASE_OPENED", GIULIA.name),
            ("CASE_PROPOSED", GIULIA.name),
            ("CASE_APPROVED", LORENZO.name),
            ("CASE_EXECUTED", "settlement worker"),
        ]
        of_round = AuditRecord.objects.filter(subject="round:r-1").order_by("id")
        assert list(of_round.values_list("action", flat=True))[-2:] == [
            "ROUND_IN_CASE",
            "ROUND_RULED",
        ]

    @pytest.mark.django_db
    def test_at_mega_fire_blaze_pays_the_real_result_without_the_bonus(self) -> None:
        """[MFB] Gestione degli errori: two nineteens win, the bonus bet loses without points."""
        open_table("t-1", MFB)
        bets = bet("b1"), bet("b2", box=2), bet("b3", "mega_fire_blaze")
        cards = "1:9S 2:9C D:TD 1:TC 2:TS D:8C"
        ingest(lines(deal(cards, *bets, rules=MFB, incident="malfunction")))
        settle()
        decided("refund", "r-1", remedy=Remedy.REFUND_BETS, ruling=Ruling(refunded=frozenset({2})))
        assert balance("customer", "p-1") == 5000

        _case, done = decided("malfunction", "r-1", remedy=Remedy.WITHOUT_BONUS)

        assert done == [("done", 3)]
        outcomes = BetSettlement.objects.filter(sequence=3).order_by("bet_number")
        assert list(outcomes.values_list("outcome", flat=True)) == ["win", "win", "lose"]
        assert balance("customer", "p-1") == 4000


class TestAHeldRound:
    def test_is_settled_by_corrected_cards(self, fresh_casino: str) -> None:
        """Without the extra card p-1 is paid 25.00; the original data stay."""
        open_and_play(held_baccarat_round("r-1"))

        _case, outcomes = decided("correction", "r-1", remedy=Remedy.CORRECT, ruling=NO_EXTRA_CARD)

        assert outcomes == [("done", 1)]
        assert balance("customer", "p-1") == 2500
        assert len(stored("r-1").cards) == 5
        statuses = Validation.objects.order_by("sequence").values_list("status", flat=True)
        assert list(statuses) == ["held", "validated"]
        assert figures_of(reconciled())["differences"] == 0

    def test_is_released_as_dealt_where_only_the_limits_held_it(self, fresh_casino: str) -> None:
        """The stake was above the table's limit of 5.00."""
        limit_stakes(open_table(), player=(100, 500))
        ingest(lines(baccarat_round("r-1")))
        settle()
        assert Validation.objects.get().anomalies == ["stake-limits"]

        _case, outcomes = decided("release", "r-1", remedy=Remedy.REAL_RESULT)

        assert outcomes == [("done", 1)]
        assert balance("customer", "p-1") == 2500
        assert figures_of(reconciled())["differences"] == 0

    def test_is_voided(self, fresh_casino: str) -> None:
        """The stakes come from those held."""
        open_and_play(held_baccarat_round("r-1"))

        _case, outcomes = decided("release", "r-1", remedy=Remedy.VOID)

        assert outcomes == [("done", 1)]
        assert (balance("stakes_held"), balance("customer", "p-1")) == (0, 1200)
        assert figures_of(reconciled())["differences"] == 0


class TestASettledRound:
    def test_is_settled_again_by_corrected_cards(self, fresh_casino: str) -> None:
        """With 6C for 5D the Player has 0 against 7: nothing for p-1, p-2's Banker pays 19.50."""
        open_and_play(baccarat_round("r-1"))
        ruling = Ruling(cards=(("P", "4S"), ("B", "7H"), ("P", "6C"), ("B", "TC"), ("P", "TH")))

        _case, outcomes = decided("correction", "r-1", remedy=Remedy.CORRECT, ruling=ruling)

        assert outcomes == [("done", 2)]
        assert balance("customer", "p-1") == 0
        assert balance("customer", "p-2") == 1950
        assert StoredRuling.objects.get().sequence == 2
        assert figures_of(reconciled())["differences"] == 0

    def test_gives_a_single_bet_back(self, fresh_casino: str) -> None:
        """The stake of p-2's lost Banker bet; p-1 keeps the winnings."""
        open_and_play(baccarat_round("r-1"))
        ruling = Ruling(refunded=frozenset({1}))

        _case, outcomes = decided("refund", "r-1", remedy=Remedy.REFUND_BETS, ruling=ruling)

        assert outcomes == [("done", 2)]
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (2500, 1000)
        assert figures_of(reconciled())["differences"] == 0

    def test_can_be_corrected_and_then_voided_and_corrected_again(self, fresh_casino: str) -> None:
        """Each settlement follows its own ruling, or none."""
        open_and_play(baccarat_round("r-1"))
        ruling = Ruling(cards=(("P", "4S"), ("B", "7H"), ("P", "6C"), ("B", "TC"), ("P", "TH")))

        decided("correction", "r-1", remedy=Remedy.CORRECT, ruling=ruling)
        decided("malfunction", "r-1", remedy=Remedy.VOID)
        decided("correction", "r-1", remedy=Remedy.CORRECT, ruling=ruling)

        assert sequences() == [(1, "settled"), (2, "settled"), (3, "void"), (4, "settled")]
        assert figures_of(reconciled())["differences"] == 0


class TestARoundThatCannotBeSettled:
    @pytest.mark.django_db
    def test_is_tried_again_after_the_other_rounds_of_its_case(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Like a round in the queue: the first pause is five seconds."""
        feed = open_and_play(baccarat_round("r-1"), baccarat_round("r-2"))
        case = opened("malfunction", "r-1", "r-2")
        propose(case, Remedy.VOID)
        approve(case)

        def fail_at_first_round(*, round_id: UUID, **decided: Any) -> Resettlement:
            if round_id == stored("r-1").id:
                raise RuntimeError("disk full")
            return resettle_round(round_id=round_id, **decided)

        monkeypatch.setattr("payouts.cases.run_cases.resettle_round", fail_at_first_round)
        failed = execute(case, at=NOW)
        first = CaseWork.objects.get(number=1)
        monkeypatch.undo()
        too_early = execute(case, at=NOW + timedelta(seconds=4))
        in_time = execute(case, at=NOW + timedelta(seconds=5))

        assert failed == too_early == [("", None), ("done", 2)]
        assert (first.attempts, first.error) == (1, "RuntimeError: disk full")
        assert in_time == [("done", 2), ("done", 2)]
        assert (balance("customer", "p-1"), balance("customer", "p-2")) == (2400, 2000)
        assert_books_are_right(feed)


class TestATamperedRuling:
    def test_is_reported(self, fresh_casino: str) -> None:
        """Bets and audit record disagree with the ruling."""
        open_and_play(baccarat_round("r-1"))
        ruling = Ruling(refunded=frozenset({1}))
        decided("refund", "r-1", remedy=Remedy.REFUND_BETS, ruling=ruling)

        tamper("UPDATE rounds_storedruling SET said = '{\"refunded\": [0]}'")

        assert {"bet", "on_record"} <= {difference.kind for difference in differences()}

    def test_is_reported_if_deleted(self, fresh_casino: str) -> None:
        """Without the ruling the settlement would be that of the original data."""
        open_and_play(baccarat_round("r-1"))
        ruling = Ruling(refunded=frozenset({1}))
        decided("refund", "r-1", remedy=Remedy.REFUND_BETS, ruling=ruling)

        tamper("DELETE FROM rounds_storedruling")

        assert {"bet", "on_record"} <= {difference.kind for difference in differences()}
