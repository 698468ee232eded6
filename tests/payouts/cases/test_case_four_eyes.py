"""Cases need two people, in the services and in the database."""

import pytest
from django.db import IntegrityError, transaction

from compliance.trail.actor import Actor
from compliance.trail.steps import PersonRequired, StaleState, WrongStatus
from payouts.cases.decide_case import answer_case, refer_case, reject_case, withdraw_case
from payouts.cases.models import Case, CaseRun, CaseStep
from payouts.cases.propose_case import (
    EffectChanged,
    InvalidCaseRemedy,
    RoundNotHeld,
    RoundsNotDecidable,
)
from payouts.cases.remedies import Remedy
from payouts.regulator_letters import Letter
from payouts.settlement.four_eyes import FourEyesRequired, ReasonRequired
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import (
    NO_EXTRA_CARD,
    approve,
    effect,
    execute,
    opened,
    propose,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO, sequences, void
from tests.signers import signing

pytestmark = pytest.mark.django_db

ANNA = signing("Anna Neri", 9)
LETTER = Letter("ADM 2026/118", NOW.date(), "As agreed by telephone.")


@pytest.fixture
def case() -> Case:
    """A malfunction of one settled round, opened by Giulia."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    return opened("malfunction", "r-1")


def step(case: Case, action: str, sequence: int, actor: Actor) -> CaseStep:
    """A step inserted past the services."""
    return CaseStep.objects.create(
        case=case,
        sequence=sequence,
        action=action,
        note="forged",
        effect_digest=b"\0" * 32,
        at=NOW,
        actor=actor.name,
        actor_user_id=actor.user_id or 0,
    )


class TestTheProposer:
    def test_cannot_approve(self, case: Case) -> None:
        """Nor another account of the same name."""
        propose(case, Remedy.VOID)

        for actor in (GIULIA, Actor("giulia  marchetti", 77), Actor("Somebody", GIULIA.user_id)):
            with pytest.raises(FourEyesRequired):
                approve(case, actor=actor)
        assert not CaseRun.objects.exists()

    def test_cannot_approve_in_sql(self, case: Case) -> None:
        """A trigger refuses the row."""
        propose(case, Remedy.VOID)

        for actor in (GIULIA, Actor("GIULIA MARCHETTI", 77), Actor("Somebody", GIULIA.user_id)):
            with pytest.raises(IntegrityError, match="another has to decide"), transaction.atomic():
                step(case, "approved", 3, actor)

    def test_cannot_reject_but_withdraw(self, case: Case) -> None:
        """Only another person rejects."""
        propose(case, Remedy.VOID)

        with pytest.raises(FourEyesRequired):
            reject_case(case_id=case.pk, seen=2, note="No.", at=NOW, actor=GIULIA)
        withdraw_case(case_id=case.pk, seen=2, note="Wrong shoe.", at=NOW, actor=GIULIA)

        with pytest.raises(WrongStatus):
            approve(case, seen=3)

    def test_needs_an_account(self, case: Case) -> None:
        """A name without an account is refused."""
        with pytest.raises(PersonRequired):
            propose(case, Remedy.VOID, actor=Actor("a script"))

    def test_needs_a_reason(self, case: Case) -> None:
        """White space is no reason."""
        with pytest.raises(ReasonRequired):
            propose(case, Remedy.VOID, note="  ")


class TestTheOpenerOfTheCase:
    def test_cannot_approve_another_persons_proposal(self, case: Case) -> None:
        """The opener chose the rounds."""
        propose(case, Remedy.VOID, actor=ANNA)

        with pytest.raises(FourEyesRequired):
            approve(case, actor=GIULIA)
        approve(case, actor=LORENZO)

        assert execute(case) == [("done", 2)]


class TestAnApproval:
    def test_of_nothing_is_refused_by_the_database(self, case: Case) -> None:
        """Neither an open nor a rejected case can be approved."""
        with pytest.raises(IntegrityError, match="nothing is proposed"), transaction.atomic():
            step(case, "approved", 2, LORENZO)
        propose(case, Remedy.VOID)
        reject_case(case_id=case.pk, seen=2, note="No.", at=NOW, actor=LORENZO)

        with pytest.raises(IntegrityError, match="nothing is proposed"), transaction.atomic():
            step(case, "approved", 4, LORENZO)

    def test_is_accepted_once(self, case: Case) -> None:
        """A second click is refused."""
        propose(case, Remedy.VOID)
        approve(case)

        with pytest.raises(StaleState):
            approve(case)

    def test_is_of_the_effect_that_was_seen(self, case: Case) -> None:
        """A changed effect is refused for approval."""
        propose(case, Remedy.VOID)
        void(after=1)

        with pytest.raises(EffectChanged):
            approve(case)

        assert not CaseRun.objects.exists()

    def test_of_another_effect_than_the_proposed_one_is_refused(self, case: Case) -> None:
        """The digest is that of the proposal."""
        propose(case, Remedy.VOID)

        with pytest.raises(EffectChanged):
            approve(case, effect_digest=b"\1" * 32)

    def test_of_a_round_settled_meanwhile_is_executed_for_the_others(self, case: Case) -> None:
        """The round is left unchanged, and the case says so."""
        propose(case, Remedy.VOID)
        approve(case)
        void(after=1)

        assert execute(case) == [("refused", None)]
        assert sequences() == [(1, "settled"), (2, "void")]

    def test_executed_again_moves_nothing(self, case: Case) -> None:
        """Execution is idempotent."""
        propose(case, Remedy.VOID)
        approve(case)
        execute(case)

        assert execute(case) == [("done", 2)]
        assert sequences() == [(1, "settled"), (2, "void")]


class TestAProposal:
    def test_that_changes_nothing_is_refused(self, case: Case) -> None:
        """The real result is already paid."""
        with pytest.raises(RoundsNotDecidable):
            propose(case, Remedy.REAL_RESULT)

    def test_of_a_round_that_its_rules_hold_is_refused(self) -> None:
        """The rules give no payout for a card too many."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()
        case = opened("release", "r-1")

        seen = effect(case, Remedy.REAL_RESULT)
        with pytest.raises(RoundsNotDecidable):
            propose(case, Remedy.REAL_RESULT)

        assert [obstacle.anomalies for obstacle in seen.obstacles] == [("extra-card",)]

    def test_of_a_round_that_waits_is_refused(self) -> None:
        """It is not judged yet."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        case = opened("malfunction", "r-1")

        seen = effect(case, Remedy.VOID)

        assert [(obstacle.reference, obstacle.waits) for obstacle in seen.obstacles] == [
            ("r-1", True)
        ]

    def test_to_release_a_round_that_is_settled_is_refused(self, case: Case) -> None:
        """Only held rounds are released."""
        release = opened("release", "r-1")

        with pytest.raises(RoundNotHeld):
            propose(release, Remedy.VOID)

    def test_that_is_no_remedy_of_such_a_case_is_refused(self, case: Case) -> None:
        """Each kind of case has its remedies."""
        with pytest.raises(InvalidCaseRemedy):
            propose(case, Remedy.CORRECT, NO_EXTRA_CARD)

    def test_may_be_made_again_after_a_rejection(self, case: Case) -> None:
        """The first proposal stays in the history."""
        propose(case, Remedy.VOID)
        reject_case(case_id=case.pk, seen=2, note="Say which shoe.", at=NOW, actor=LORENZO)
        propose(case, Remedy.VOID, seen=3)
        approve(case, seen=4)

        assert execute(case) == [("done", 2)]
        actions = CaseStep.objects.order_by("sequence").values_list("action", flat=True)
        assert list(actions) == ["opened", "proposed", "rejected", "proposed", "approved"]


class TestTheRegulator:
    @pytest.fixture
    def referred(self, case: Case) -> Case:
        """A proposed case whose reason needs the regulator first."""
        first = opened("malfunction", "r-1", reason="regulator-first")
        propose(first, Remedy.VOID)
        return first

    def test_comes_before_the_second_person(self, referred: Case) -> None:
        """In the services and in the database."""
        with pytest.raises(WrongStatus):
            approve(referred)
        with pytest.raises(IntegrityError, match="nothing is proposed"), transaction.atomic():
            step(referred, "approved", 3, LORENZO)

    def test_allows_and_then_the_second_person_approves(self, referred: Case) -> None:
        """Reference and day of both letters are stored."""
        case_id = referred.pk
        refer_case(case_id=case_id, seen=2, letter=LETTER, at=NOW, actor=GIULIA)
        answer_case(case_id=case_id, seen=3, is_allowed=True, letter=LETTER, at=NOW, actor=GIULIA)
        approve(referred, seen=4)

        assert execute(referred) == [("done", 2)]
        letters = CaseStep.objects.exclude(reference="").order_by("sequence")
        assert list(letters.values_list("action", "reference", "on_day")) == [
            ("referred", "ADM 2026/118", NOW.date()),
            ("allowed", "ADM 2026/118", NOW.date()),
        ]

    def test_refuses_and_nothing_happens(self, referred: Case) -> None:
        """Another proposal may follow."""
        case_id = referred.pk
        refer_case(case_id=case_id, seen=2, letter=LETTER, at=NOW, actor=GIULIA)
        answer_case(case_id=case_id, seen=3, is_allowed=False, letter=LETTER, at=NOW, actor=GIULIA)

        with pytest.raises(WrongStatus):
            approve(referred, seen=4)
        assert propose(referred, Remedy.VOID, seen=4).sequence == 5
