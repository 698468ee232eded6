"""A database with months of play, for the benchmarks of pages.

Rounds of today are ingested and settled, some held, refused or in conflict. Copies fill the months
before (``stored_months.py``), and some rounds await settlement.
"""

from datetime import timedelta
from pathlib import Path
from typing import Final

from django.utils import timezone

from benchmarks.data.stored_months import Stored
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import BENCHMARK, Workspace
from casino.devserver.demo import make_people
from payouts.reconciliation.reconcile import EVERYTHING, Scope, begin_reconciliation
from rounds.models import Round
from rounds.row_mapping import milliseconds_of

_ROUNDS: Final = 10_000
_FAULTS: Final = 0.005
"""So many rounds of a hundred go wrong at the table or on the way, far more than in a casino."""
_PLAYED: Final = timedelta(hours=10)
"""As long as the tables have been open today when the pages are asked."""
_WAITING_ROUNDS: Final = 200
_DAY_BEFORE: Final = timedelta(days=1)


def fill_casino(place: Workspace, *, bets: int) -> int:
    """Fills the database of Django's connection; gives how many bets it has then."""
    now = timezone.now()
    ingest_file(
        place.feeds.mix(rounds=_ROUNDS, start=milliseconds_of(now - _PLAYED), faults=_FAULTS)
    )
    sweep_with(processes=2)
    stored = Stored()
    stored.fill(bets=bets)
    waiting = place.feeds.mix(
        rounds=_WAITING_ROUNDS, seed="waiting", start=milliseconds_of(now - _PLAYED - _DAY_BEFORE)
    )
    ingest_file(waiting)
    _begin_reconciliations()
    make_people(passwords_file=Path(place.folder) / "passwords.json")
    return stored.bets


def _begin_reconciliations() -> None:
    """One of a round and one of everything, both under way."""
    now, latest = timezone.now(), Round.objects.order_by("-id")[0]
    for scope in (Scope(round_id=latest.id), EVERYTHING):
        begin_reconciliation(scope=scope, at=now, actor=BENCHMARK)
