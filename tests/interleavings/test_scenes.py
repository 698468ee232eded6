"""Real services, one statement at a time."""

import os
import sys
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from random import Random
from typing import Final, Protocol

import pytest

from tests.conftest import NewTemplate
from tests.fresh_copies import Prepare, fresh_copies
from tests.interleavings.explore import explore
from tests.interleavings.judgement import Meeting
from tests.interleavings.scenes import PAIRS, TRIPLES, casino, has_waiting_round
from tests.interleavings.schedules import Outcome, drawn, replayed, run
from tests.repetitions import repeated

_REPORTED: Final = 20
_LIMIT: Final = int(os.environ.get("SABOT_SCHEDULES", "10"))
"""The schedules of a pair; 0 explores it to its end."""
_NAMED: Final = os.environ.get("SABOT_MEETING")
_PLAYED: Final = [_NAMED] if _NAMED else PAIRS[:: len(PAIRS) // repeated(len(PAIRS))]
"""The one that the command names, or as many pairs as the share of repetitions allows."""
_REPLAY: Final = os.environ.get("SABOT_REPLAY", "")
_SEED: Final = int(os.environ.get("SABOT_SEED", "1"))
_DRAWN: Final = 5
"""The schedules of a triple."""


class PrepareFor(Protocol):
    """Makes what puts the database of a meeting into its first state."""

    def __call__(self, meeting: str) -> AbstractContextManager[Prepare]:
        """For this meeting, while nobody else uses the database."""


@pytest.fixture
def prepare_for(
    new_template: NewTemplate, casino_template: str, empty_database: str, worker_id: str
) -> PrepareFor:
    """For one meeting after the other."""

    def prepare_for(meeting: str) -> AbstractContextManager[Prepare]:
        waiting = has_waiting_round(meeting)
        fill = partial(casino, waiting=waiting)
        name = "meeting_and_waiting" if waiting else "meeting"
        template = new_template(name, fill, template=casino_template)
        return fresh_copies(template, name=f"interleaved_{worker_id}")

    return prepare_for


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _explored(name: str, prepare: Prepare, *, limit: int) -> None:
    meeting, schedules = Meeting(name, prepare), 0
    for outcome in islice(explore(meeting.programs, prepare=prepare), limit or None):
        _judge(name, meeting, outcome)
        schedules += 1
        if schedules % _REPORTED == 0:
            _say(f"{name}: {schedules} schedules so far")
    is_exhausted = schedules != limit
    _say(f"{name}: {schedules} schedules, {'exhausted' if is_exhausted else 'bounded'}")


def _replayed(name: str, prepare: Prepare) -> None:
    meeting = Meeting(name, prepare)
    outcome = run(meeting.programs, replayed(_REPLAY), url=prepare())
    for event in outcome.events:
        waited = " (waited)" if event.has_waited else ""
        _say(f"{event.session}{waited}: {' '.join(event.statement.split())[:160]}")
    _say(f"{outcome.answers} {outcome.errors}")
    _judge(name, meeting, outcome)


def _judge(name: str, meeting: Meeting, outcome: Outcome) -> None:
    try:
        meeting.judge(outcome)
    except AssertionError:
        _say(f"python -m tests.interleavings {name} --schedule {outcome.replay}")
        raise


class TestScenes:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", _PLAYED)
    def test_schedules(self, prepare_for: PrepareFor, name: str) -> None:
        """The first ones, or as many as the command asks for."""
        with prepare_for(name) as prepare:
            if _REPLAY:
                _replayed(name, prepare)
            else:
                _explored(name, prepare, limit=_LIMIT)

    @pytest.mark.slow
    @pytest.mark.timeout(1_200)
    def test_schedules_of_triples(self, prepare_for: PrepareFor) -> None:
        """Three executions of cases, then triples and schedules that a seed draws."""
        random = Random(_SEED)
        number = int(os.environ.get("SABOT_TRIPLES") or repeated(20))
        for name in ["void+resettle+credit", *random.choices(TRIPLES, k=number)]:
            with prepare_for(name) as prepare:
                meeting = Meeting(name, prepare)
                for _ in range(_DRAWN):
                    _judge(name, meeting, run(meeting.programs, drawn(random), url=prepare()))
            _say(f"{name}: {_DRAWN} schedules drawn")
