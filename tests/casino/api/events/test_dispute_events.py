"""Disputes and cases have events: every step that programs may know of (issue 21)."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

import pytest

from casino.integrations.events.types import CASE_STEPS, DISPUTE_STEPS, EventType
from casino.integrations.scopes import Scope
from compliance.trail.action_labels import action_label
from compliance.trail.actor import Actor
from payouts.cases.models import CaseStep
from payouts.disputes.models import Dispute, DisputeStep
from payouts.disputes.remind_disputes import remind_disputes
from tests.casino.api.api_client import EVERYTHING, Program, issued, json_of, slug_of
from tests.casino.api.events.event_scenarios import (
    all_events,
    bound_to,
    deliver,
    log,
    webhook_to,
)
from tests.casino.api.events.receiver import receiving
from tests.casino_in_play import NOW, open_table
from tests.payouts.disputes.dispute_scenarios import (
    answer,
    ask,
    disputed,
    executed,
    partly,
    play,
    take,
)

pytestmark = pytest.mark.django_db

_DECIDED: Final = [
    "dispute.opened",
    "dispute.in_review",
    "dispute.question_sent",
    "dispute.answered",
    "dispute.decided",
    "dispute.closed",
]
_EXECUTED: Final = ["case.opened", "case.proposed", "case.approved", "case.executed"]


def decided_dispute() -> Dispute:
    """A dispute that was asked about, answered, partly upheld and remedied, in the log."""
    play()
    dispute = disputed()
    for step in (take, ask, answer, partly):
        step(dispute)
    executed(dispute)
    log()
    return dispute


def about(events: Collection[dict[str, object]], family: str) -> list[str]:
    """The types of one family, in the order in which they are declared."""
    order = [event_type.value for event_type in EventType]
    types = [str(event["type"]) for event in events]
    return sorted((name for name in types if name.startswith(family)), key=order.index)


class TestTheStream:
    def test_has_each_step_of_a_dispute_and_its_case(self) -> None:
        """From the opening to the executed remedy; each leads to the dispute as it is."""
        dispute = decided_dispute()
        program = Program(issued().token)

        events = all_events(program)

        assert about(events, "dispute.") == _DECIDED
        assert about(events, "case.") == _EXECUTED
        [decided] = [event for event in events if event["type"] == "dispute.decided"]
        data = decided["data"]["dispute"]
        assert (data["dispute"], data["state"]) == (str(dispute), "partly_upheld")
        assert json_of(program.get(data["link"]))["state"] == "closed"
        [executed_case] = [event for event in events if event["type"] == "case.executed"]
        assert executed_case["data"]["case"]["kind"] == "goodwill"
        assert json_of(program.get(executed_case["links"]["event"])) == executed_case

    def test_has_the_reminder_of_a_due_step(self) -> None:
        """The event comes when people are reminded, and has the time that is due."""
        play()
        disputed()
        remind_disputes(at=NOW + timedelta(days=30), actor=Actor("Sabot"))
        log()

        [due] = [
            event for event in all_events(Program(issued().token)) if event["type"] == "dispute.due"
        ]

        assert (due["data"]["dispute"]["step"], due["data"]["dispute"]["state"]) == (None, "opened")
        assert due["data"]["dispute"]["due_at"] is not None

    def test_has_an_event_for_every_step(self) -> None:
        """A new action of a dispute or a case needs an event."""
        of_disputes = {f"DISPUTE_{name.upper()}" for name in DisputeStep.Action.values}
        of_cases = {f"CASE_{name.upper()}" for name in CaseStep.Action.values}

        assert of_disputes | {"DISPUTE_REMINDED"} == DISPUTE_STEPS.keys()
        assert of_cases | {"CASE_EXECUTED"} == CASE_STEPS.keys()
        assert all(str(action_label(name)) != name for name in (*DISPUTE_STEPS, *CASE_STEPS))


class TestAKey:
    def test_without_disputes_read_sees_none_of_them(self) -> None:
        """Their events are neither listed nor found."""
        decided_dispute()
        [opened] = [
            event
            for event in all_events(Program(issued().token))
            if event["type"] == "dispute.opened"
        ]
        scopes = [scope for scope in EVERYTHING if scope != Scope.DISPUTES_READ]
        program = Program(issued(scopes=scopes).token)

        assert about(all_events(program), "dispute.") == []
        assert about(all_events(program), "case.") == _EXECUTED
        for address in (opened["links"]["event"], opened["links"]["proof"]):
            assert slug_of(program.get(address)) == "not-found"

    def test_of_some_tables_sees_their_disputes_and_no_cases(self) -> None:
        """A case may be about rounds of several tables."""
        decided_dispute()
        open_table("bac-2")
        own, other = (Program(bound_to(table).token) for table in ("bac-1", "bac-2"))

        assert about(all_events(own), "dispute.") == _DECIDED
        assert about(all_events(own), "case.") == []
        assert all_events(other) == []


@pytest.mark.slow
def test_a_webhook_receives_the_requested_types() -> None:
    """Of all that happened to a dispute, only the decision."""
    decided_dispute()
    with receiving() as receiver:
        deliver(webhook_to(receiver.url, types=("dispute.decided",)).webhook)

    assert [message.content["type"] for message in receiver.messages] == ["dispute.decided"]
