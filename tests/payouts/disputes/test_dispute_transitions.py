"""Permitted actions in each state of a dispute."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import pytest
from django.db import DatabaseError, transaction

from compliance.trail.actor import Actor
from compliance.trail.steps import PersonRequired, StaleState, WrongStatus
from payouts.disputes.close_dispute import AlreadyReopened
from payouts.disputes.decide_dispute import AwaitingCustomer, InvalidCitations
from payouts.disputes.models import Dispute, DisputeStep
from payouts.disputes.status import STATES, State
from payouts.disputes.steps import NoteRequired
from payouts.regulator_letters import Letter, LetterReferenceMissing
from tests.casino_in_play import NOW
from tests.payouts.disputes.dispute_scenarios import (
    CITED,
    LETTER,
    VERBS,
    ask,
    close,
    disputed,
    escalate,
    executed,
    play,
    reject,
    reopen,
    seen,
    state_of,
    take,
)

pytestmark = pytest.mark.django_db

_LATER: Final = NOW + timedelta(days=60)
_REVIEW: Final = {"taken", "asked", "upheld", "partly_upheld", "rejected"}

# By the way there, what may follow; all else is refused.
WAYS: Final[dict[tuple[str, ...], set[str]]] = {
    (): {"taken"},
    ("taken",): _REVIEW,
    ("taken", "asked"): {"answered", "upheld", "partly_upheld", "rejected"},  # his time is over
    ("taken", "asked", "answered"): _REVIEW,
    ("taken", "upheld"): set(),
    ("taken", "partly_upheld"): set(),
    ("taken", "rejected"): {"closed", "escalated", "reopened"},
    ("taken", "rejected", "closed"): {"escalated", "reopened"},
    ("taken", "rejected", "escalated"): {"confirmed", "overturned"},
    ("taken", "rejected", "escalated", "confirmed"): {"reopened"},
    ("taken", "rejected", "escalated", "overturned"): _REVIEW,
    ("taken", "rejected", "reopened"): _REVIEW,
}


def led(way: Sequence[str]) -> Dispute:
    """A dispute after these actions."""
    play()
    dispute = disputed()
    for verb in way:
        VERBS[verb](dispute, at=_LATER if verb == "answered" else NOW)
    return dispute


class TestEveryActionInEveryState:
    @pytest.mark.parametrize("way", WAYS, ids="-".join)
    def test_is_done_or_refused(self, way: tuple[str, ...]) -> None:
        """By the table of transitions; a refusal writes nothing."""
        dispute = led(way)
        steps = seen(dispute)

        done = set()
        for name, verb in VERBS.items():
            try:
                with transaction.atomic():
                    step = verb(dispute, at=_LATER)
                    assert state_of(dispute) is STATES[name]
                    assert step.sequence == steps + 1
                    raise _Undone  # noqa: TRY301  back to where it was
            except _Undone:
                done.add(name)
            except WrongStatus as refusal:
                assert refusal.status is state_of(dispute)  # noqa: PT017  the others go on

        assert done == WAYS[way]
        assert seen(dispute) == steps

    @pytest.mark.parametrize("way", WAYS, ids="-".join)
    def test_is_refused_by_the_database_as_well(self, way: tuple[str, ...]) -> None:
        """For a direct insert by an uninvolved person."""
        dispute = led(way)
        steps = seen(dispute)

        done = set()
        for action in VERBS:
            try:
                with transaction.atomic():
                    added(dispute, action, steps + 1)
                    raise _Undone  # noqa: TRY301  back to where it was
            except _Undone:
                done.add(action)
            except DatabaseError as refusal:
                words = "does not follow|was not executed"
                assert any(word in str(refusal) for word in words.split("|"))  # noqa: PT017  the others go on

        assert done == WAYS[way]


class _Undone(Exception):
    """The action was possible."""


def added(dispute: Dispute, action: str, sequence: int) -> DisputeStep:
    """Inserts a step past the services."""
    return DisputeStep.objects.create(
        dispute=dispute,
        sequence=sequence,
        action=action,
        note="x",
        reference="x",
        on_day=NOW.date(),
        at=NOW,
        actor="Nobody Else",
        actor_user_id=99,
    )


class TestAStep:
    def test_needs_the_latest_sequence(self) -> None:
        """The second of two persons is refused."""
        play()
        dispute = disputed()
        take(dispute)

        with pytest.raises(StaleState) as refused:
            take(dispute, seen=1)

        assert refused.value.latest.action == "taken"

    def test_has_no_gap_before_it(self) -> None:
        """The database checks the sequence."""
        play()
        dispute = disputed()

        for sequence in (1, 3):
            with pytest.raises(DatabaseError), transaction.atomic():
                added(dispute, "taken", sequence)

    @pytest.mark.parametrize("verb", ["asked", "upheld", "partly_upheld", "rejected"])
    def test_needs_a_note(self, verb: str) -> None:
        """In the service and in the database."""
        play()
        dispute = disputed()
        take(dispute)

        with pytest.raises(NoteRequired):
            VERBS[verb](dispute, note=" \n")
        with pytest.raises(DatabaseError, match="dispute_steps_say_why"), transaction.atomic():
            DisputeStep.objects.create(
                dispute=dispute, sequence=3, action=verb, at=NOW, actor="x", actor_user_id=99
            )

    @pytest.mark.parametrize("verb", ["upheld", "rejected"])
    def test_of_a_decision_cites_headings_of_the_sheet(self, verb: str) -> None:
        """At least one that the rules of the round cite."""
        play()
        dispute = disputed()
        take(dispute)

        for wrong in ((), (*CITED, CITED[0]._replace(heading="Nothing like it"))):
            with pytest.raises(InvalidCitations, match=r"citations: found .*; needed headings"):
                VERBS[verb](dispute, citations=wrong)
        decided = VERBS[verb](dispute)

        assert decided.citations == [{"sheet": "BAC", "heading": CITED[0].heading}]

    def test_decides_only_after_the_customers_term(self) -> None:
        """The customer has fifteen days to answer."""
        play()
        dispute = disputed()
        take(dispute)
        question = ask(dispute)

        assert question.due_at is not None
        with pytest.raises(AwaitingCustomer, match="needed an answer, or that time over"):
            reject(dispute, at=question.due_at - timedelta(seconds=1))
        reject(dispute, at=question.due_at)

        assert state_of(dispute) is State.REJECTED

    def test_to_the_outside_body_names_a_letter(self) -> None:
        """In the service and in the database."""
        play()
        dispute = disputed()
        take(dispute)
        reject(dispute)

        with pytest.raises(LetterReferenceMissing):
            escalate(dispute, letter=Letter(" ", LETTER.on_day))
        with pytest.raises(DatabaseError, match="outside_body_by_letter"), transaction.atomic():
            DisputeStep.objects.create(
                dispute=dispute, sequence=4, action="escalated", at=NOW, actor="x"
            )

    @pytest.mark.parametrize("verb", ["taken", "asked", "upheld", "rejected"])
    def test_is_taken_by_a_person_with_an_account(self, verb: str) -> None:
        """Programs cannot decide."""
        play()
        dispute = disputed()
        if verb != "taken":
            take(dispute)

        with pytest.raises(PersonRequired):
            VERBS[verb](dispute, actor=Actor("a program"))


class TestADispute:
    def test_is_reopened_once(self) -> None:
        """In the service and in the database."""
        play()
        dispute = disputed()
        take(dispute)
        reject(dispute)
        close(dispute)
        reopen(dispute)
        reject(dispute)

        with pytest.raises(AlreadyReopened):
            reopen(dispute)
        with pytest.raises(DatabaseError, match="dispute_reopened_once"), transaction.atomic():
            added(dispute, "reopened", seen(dispute) + 1)

    def test_that_was_upheld_is_not_closed_by_hand(self) -> None:
        """Its remedy closes it."""
        play()
        dispute = disputed()
        take(dispute)
        VERBS["upheld"](dispute)

        with pytest.raises(WrongStatus):
            close(dispute)
        assert executed(dispute) is not None

        assert state_of(dispute) is State.CLOSED

    def test_is_reopened_after_its_remedy_was_executed(self) -> None:
        """It may be upheld again with another remedy."""
        play()
        dispute = disputed()
        take(dispute)
        VERBS["upheld"](dispute)
        executed(dispute)

        reopen(dispute)
        VERBS["partly_upheld"](dispute)

        assert executed(dispute) is not None
