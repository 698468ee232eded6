"""Simulated days: none of them ends wrong, and each planted fault is found."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import DatabaseError, transaction

from payouts.cases import decide_case
from payouts.ledger.models import PayOver
from payouts.ledger.transfer_to_wallet import pay_over
from rounds.services.ingest import Tally, ingest_documents
from tests.casino_in_play import open_tables
from tests.compliance.exports.exported_days import key_in, known_in
from tests.conftest import NewTemplate
from tests.fresh_copies import fresh_copies
from tests.histories.drawn_histories import explore
from tests.repetitions import repeated
from tests.simulation import calls
from tests.simulation import day as simulated
from tests.simulation.day import SimulatedDay
from tests.simulation.studio import OPENING

_DAYS: Final = int(os.environ.get("SABOT_DAYS") or repeated(60))
_SEED: Final = int(os.environ.get("SABOT_SEED") or 1)
_STEPS: Final = 60
_REPORTED: Final = 50
_DAYS_TO_FIND: Final = 60


@pytest.fixture
def world(
    new_template: NewTemplate,
    casino_template: str,
    empty_database: str,
    worker_id: str,
    tmp_path: Path,
) -> Iterator[type[SimulatedDay]]:
    """The machine of days that begin with tables of every game and nothing else."""
    template = new_template("simulated_day", _open, template=casino_template)

    class World(SimulatedDay):
        days = 0

        def teardown(self) -> None:
            if sys.exception() is not None or not self.is_open:
                return
            self.end()
            World.days += 1
            if World.days % _REPORTED == 0:
                _say(f"{World.days} days were right")

    World.happened, World.folder = Counter(), tmp_path / "exports"
    World.key, World.known = key_in(tmp_path), known_in(tmp_path)
    with fresh_copies(template, name=f"simulated_{worker_id}") as prepare:
        World.prepare = staticmethod(prepare)
        yield World
    for what, times in sorted(World.happened.items()):
        _say(f"{times:>7,} {what}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _open() -> None:
    open_tables(at=OPENING)


def _acknowledges_too_early(patch: pytest.MonkeyPatch) -> None:
    """Documents are acknowledged, and every second time not stored."""
    turns = count()

    def lose(*arguments: Any, **options: Any) -> Tally:
        with transaction.atomic():
            tally = ingest_documents(*arguments, **options)
            transaction.set_rollback(next(turns) % 2 == 1)
        return tally

    patch.setattr(calls, "ingest_documents", lose)


def _pays_over_again(patch: pytest.MonkeyPatch) -> None:
    """A reference that was used moves money once more."""
    turns = count()

    def pay(*, reference: str, **options: Any) -> PayOver:
        return pay_over(reference=f"{reference}-{next(turns)}", **options)

    patch.setattr(simulated, "pay_over", pay)


def _lets_one_person_decide(patch: pytest.MonkeyPatch) -> None:
    """The service no longer asks for another person; the database does."""
    patch.setattr(decide_case, "_require_other_person", lambda *_case, **_options: None)


@pytest.mark.slow
# Cursors that a killed process has left open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestDays:
    def test_no_day_ends_wrong(self, world: type[SimulatedDay]) -> None:
        """As many as the share of repetitions allows, or as the command asks for."""
        explore(world, histories=_DAYS, steps=_STEPS, first=_SEED)

    @pytest.mark.parametrize(
        "plant",
        [
            _acknowledges_too_early,
            _pays_over_again,
            _lets_one_person_decide,
        ],
    )
    def test_planted_faults_are_found(
        self,
        world: type[SimulatedDay],
        monkeypatch: pytest.MonkeyPatch,
        plant: Callable[[pytest.MonkeyPatch], None],
    ) -> None:
        """Within a few days each."""
        plant(monkeypatch)
        with pytest.raises((AssertionError, DatabaseError)):
            explore(world, histories=_DAYS_TO_FIND, steps=_STEPS, shrinks=False)
