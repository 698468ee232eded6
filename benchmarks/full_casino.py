"""A casino with months of play in it, for asking its pages: there is some of all that they list.

Rounds of today are ingested and settled, a few of them held, refused or in conflict; copies of them
fill the months before (``stored.py``), and some more wait for a worker that does not come.
"""

from datetime import timedelta
from pathlib import Path
from typing import Final

from django.utils import timezone

from benchmarks.settlement import ingest_file
from benchmarks.stored import Stored
from benchmarks.sweeper import sweep_with
from benchmarks.workplace import BENCHMARK, Workplace
from casino.demo import make_people
from payouts.services.reconcile import EVERYTHING, Scope, begin_reconciliation
from rounds.models import Round
from rounds.storage import milliseconds_of

_ROUNDS: Final = 10_000
_FAULTS: Final = 0.005
"""So many rounds of a hundred go wrong at the table or on the way, far more than in a casino."""
_PLAYED: Final = timedelta(hours=10)
"""As long as the tables have been open today when the pages are asked."""
_WAITING_ROUNDS: Final = 200
_DAY_BEFORE: Final = timedelta(days=1)


def fill_casino(place: Workplace, *, bets: int) -> int:
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
