"""Speed of impact analyses: a million stored bets judged by two rule sets."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

import django
from django.utils import timezone

from benchmarks.data.stored_months import Stored
from benchmarks.figures import Figure
from benchmarks.quick import sized
from benchmarks.settlement.settlement_rate import ingest_file
from benchmarks.settlement.sweeper import sweep_with
from benchmarks.workspace import BENCHMARK, Workspace

_STORED_ROUNDS: Final = 4_000
_BETS: Final = sized(1_000_000, quick=100_000)
_AT_ONCE: Final = 1_000
_PROCESSES: Final = 2


def measure_impact(place: Workspace) -> list[Figure]:
    """All games of the mix with another pay table each, beside judging the same rounds once."""
    with place.fresh_database():
        ingest_file(place.feeds.mix(rounds=_STORED_ROUNDS))
        sweep_with(processes=1)
        Stored().fill(bets=_BETS)
        bets, judging = _judge_once()
        alone, together = _analyse(1), _analyse(_PROCESSES)
    return [
        Figure(
            "impact.bets_per_s",
            bets / together,
            f"bets a second, {bets:,} bets, {_PROCESSES} processes ({together:.1f} s)",
        ),
        Figure(
            "impact.ratio_to_judging", judging / alone, "of reading and judging once, 1 process"
        ),
        Figure("impact.speed_up", alone / together, f"by {_PROCESSES} processes"),
    ]


def _judge_once() -> tuple[int, float]:
    """The limit: the stored rounds read and judged by the rules in force alone."""
    from rounds.models import Round
    from rounds.rule_inputs import rounds_to_judge
    from rounds.services.validate import judge_round

    ids = list(Round.objects.order_by("id").values_list("id", flat=True))
    started, bets = time.perf_counter(), 0
    for first in range(0, len(ids), _AT_ONCE):
        for stored in rounds_to_judge(ids[first : first + _AT_ONCE]):
            bets += len(judge_round(stored).grades)
    return bets, time.perf_counter() - started


def _analyse(processes: int) -> float:
    """The seconds of an analysis by so many processes, which are started before."""
    from compliance.impact.analyses import RuleChange, begin_analysis, finish_analysis
    from compliance.impact.changed_fields import FieldChange
    from payouts.reconciliation.checks.days import Days

    fields = [
        FieldChange("baccarat/1", "bets/tie/pays", "9:1"),
        *(
            FieldChange(name, "insurance_pays", "3:1")
            for name in (
                *("blackjack/1", "mega-fire-blaze-blackjack/1"),
                *("quantum-blackjack/1", "zappit-blackjack/1"),
            )
        ),
    ]
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=django.setup
    ) as pool:
        list(pool.map(_is_ready, range(processes)))
        started = time.perf_counter()
        analysis = begin_analysis(
            RuleChange(fields=fields), days=Days(None, None), at=timezone.now(), actor=BENCHMARK
        )
        list(pool.map(_work, [analysis.pk] * processes))
        if not finish_analysis(analysis.pk, now=timezone.now):
            raise RuntimeError("the analysis is not finished")
        return time.perf_counter() - started


def _is_ready(_number: int) -> None:
    """Waits for another process to start."""
    from compliance.impact.models import ImpactAnalysis

    ImpactAnalysis.objects.exists()
    time.sleep(1)


def _work(analysis_id: int) -> None:
    from compliance.impact.analyses import work_on_part
    from compliance.impact.models import ImpactAnalysis

    analysis = ImpactAnalysis.objects.get(pk=analysis_id)
    while work_on_part(analysis, now=timezone.now):
        pass
