"""Real services, one statement at a time."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import Final

import pytest

from tests.conftest import NewTemplate
from tests.fresh_copies import Prepare, fresh_copies
from tests.interleavings.explore import explore
from tests.interleavings.judgement import Pair
from tests.interleavings.scenes import PAIRS, casino, has_waiting_round
from tests.interleavings.schedules import Outcome, replayed, run
from tests.repetitions import repeated

_REPORTED: Final = 20
_LIMIT: Final = int(os.environ.get("SABOT_SCHEDULES", "10"))
"""The schedules of a pair; 0 explores it to its end."""
_PLAYED: Final = list(PAIRS)[:: len(PAIRS) // repeated(len(PAIRS))]
"""As many pairs as the share of repetitions allows, spread over all services."""
_REPLAY: Final = os.environ.get("SABOT_REPLAY", "")


@pytest.fixture
def prepare_for(
    new_template: NewTemplate, casino_template: str, empty_database: str, worker_id: str
) -> Iterator[Callable[[str], Prepare]]:
    """Makes what puts the database of a pair into its first state."""
    with ExitStack() as copies:

        def prepare_for(pair: str) -> Prepare:
            waiting = has_waiting_round(pair)
            fill = partial(casino, waiting=waiting)
            name = "meeting_and_waiting" if waiting else "meeting"
            template = new_template(name, fill, template=casino_template)
            return copies.enter_context(fresh_copies(template, name=f"interleaved_{worker_id}"))

        yield prepare_for


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _explored(name: str, prepare: Prepare, *, limit: int) -> None:
    pair, schedules = Pair(name, prepare), 0
    for outcome in islice(explore(pair.programs, prepare=prepare), limit or None):
        _judge(name, pair, outcome)
        schedules += 1
        if schedules % _REPORTED == 0:
            _say(f"{name}: {schedules} schedules so far")
    is_exhausted = schedules != limit
    _say(f"{name}: {schedules} schedules, {'exhausted' if is_exhausted else 'bounded'}")


def _judge(name: str, pair: Pair, outcome: Outcome) -> None:
    try:
        pair.judge(outcome)
    except AssertionError:
        _say(f"python -m tests.interleavings {name} --schedule {outcome.replay}")
        raise


class TestScenes:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", PAIRS if "SABOT_SCHEDULES" in os.environ else _PLAYED)
    def test_schedules(self, prepare_for: Callable[[str], Prepare], name: str) -> None:
        """The first ones, or as many as the command asks for."""
        if not _REPLAY:
            _explored(name, prepare_for(name), limit=_LIMIT)
            return
        prepare = prepare_for(name)
        pair = Pair(name, prepare)
        outcome = run(pair.programs, replayed(_REPLAY), url=prepare())
        for event in outcome.events:
            waited = " (waited)" if event.has_waited else ""
            _say(f"{event.session}{waited}: {' '.join(event.statement.split())[:160]}")
        _say(f"{outcome.answers} {outcome.errors}")
        _judge(name, pair, outcome)
