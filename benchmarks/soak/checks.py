"""What must hold at the end of a soak. Each check returns its reasons to fail, as sentences."""

import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db import connection

from benchmarks.soak.alerts import Fired, is_due_to, unexpected
from benchmarks.soak.figures import calls_that_failed, memory_growth, refused_signatures
from benchmarks.soak.histories import anomalies_of
from benchmarks.soak.installation import Installation
from benchmarks.soak.load.all_lanes import Load
from benchmarks.soak.play import Played, recovery_seconds
from benchmarks.soak.receiver import Receiver
from benchmarks.soak.samples import Sampler
from casino.embedded.server_paths import CLONE
from payouts.cases.models import CaseHalt, CaseRun
from payouts.disputes.models import Dispute, DisputeEvidence
from payouts.integrity.models import IntegrityStop
from rounds.models import ClosedDay, Round
from rounds.replay import REJECTED, replay_lines
from tests.books import NEVER_FOUND, SUM_OF_ALL_BALANCES, payments_unlike_replay, rows_of
from tests.crash.final_checks import assert_log_is_verified

_JUDGED_OTHERWISE_THAN_ONCE: Final = """
    SELECT round.reference FROM rounds_round AS round
     WHERE (SELECT count(*) FROM rounds_validation
             WHERE round_id = round.id AND sequence = 1) <> 1
"""
_VALID_AND_NOT_SETTLED: Final = """
    SELECT round.reference FROM rounds_round AS round
      JOIN rounds_validation AS verdict ON verdict.round_id = round.id AND verdict.sequence = 1
     WHERE verdict.status = 'validated'
       AND NOT EXISTS (SELECT FROM payouts_settlement WHERE round_id = round.id)
"""
_STAKES_TAKEN_OTHERWISE_THAN_ONCE: Final = """
    SELECT round.reference FROM rounds_round AS round
     WHERE round.staked_cents <> (SELECT coalesce(sum(amount_cents), 0) FROM payouts_transfer
                                   WHERE origin = round.id AND purpose = 'stakes_taken')
"""
_NEVER: Final[Mapping[str, str]] = {
    "rounds were not judged once": _JUDGED_OTHERWISE_THAN_ONCE,
    "valid rounds are not settled": _VALID_AND_NOT_SETTLED,
    "rounds whose stakes were not taken once": _STAKES_TAKEN_OTHERWISE_THAN_ONCE,
    "references are stored twice": (
        "SELECT reference FROM rounds_round GROUP BY reference HAVING count(*) > 1"
    ),
}
_SHOWN: Final = 5
_END_OF_OUTPUT: Final = 600


class Outcome(NamedTuple):
    """All that a soak has left."""

    place: Installation
    load: Load
    sampler: Sampler
    played: Played
    fired: Sequence[Fired]
    """While the load was played."""
    still_firing: Sequence[Fired]
    """After all work had come to its end."""
    receiver: Receiver
    impossible: Sequence[str]
    seed: int


def check(outcome: Outcome) -> list[str]:
    """Everything; the installation must still run."""
    checks: Sequence[Callable[[Outcome], Iterable[str]]] = (
        _faults_are_over,
        _nothing_was_stopped,
        _rounds_are_there_once,
        _first_payments_are_those_of_replay,
        _books_are_right,
        _acknowledged_work_is_there,
        _history_has_an_order,
        _commands_agree,
        _calls_failed_in_faults_only,
        _signatures_were_refused_by_wrong_clocks_only,
        _nothing_ended_by_itself,
        _memory_is_flat,
        _alerts_are_those_expected,
    )
    reasons = [reason for each in checks for reason in each(outcome)]
    connection.close()
    return reasons


def _faults_are_over(outcome: Outcome) -> Iterable[str]:
    played = outcome.played
    yield from played.failed
    yield from (f"a surprise: {text}" for text in outcome.load.notes.surprises)
    for fault in played.faults:
        if recovery_seconds(fault, played, outcome.sampler) is None:
            yield f"{fault.kind.name} at {fault.at:.0f} s: not everything was well in time"


def _nothing_was_stopped(_outcome: Outcome) -> Iterable[str]:
    """No decision and no check of integrity failed: all of them are right in this installation."""
    for halt in CaseHalt.objects.order_by("at"):
        yield f"cases were halted at {halt.at:%H:%M:%S}: {halt.error}"
    for stop in IntegrityStop.objects.order_by("at"):
        yield f"settlement was stopped at {stop.at:%H:%M:%S} ({stop.kind}): {stop.findings}"


def _rounds_are_there_once(outcome: Outcome) -> Iterable[str]:
    accepted: set[str] = set()
    for studio in outcome.load.studios:
        for lines in (studio.lines, studio.late):
            results = replay_lines(lines)
            accepted |= {it["round"] for it in results if it["status"] != REJECTED}
    stored = set(Round.objects.values_list("reference", flat=True))
    yield from _some("rounds were sent and are not stored", accepted - stored)
    yield from _some("rounds are stored and were not sent", stored - accepted)
    for what, query in _NEVER.items():
        yield from _some(what, [str(row[0]) for row in rows_of(query)])


def _first_payments_are_those_of_replay(outcome: Outcome) -> Iterable[str]:
    """Of rounds that people did not release: their cards were judged outside of the database."""
    for studio in outcome.load.studios:
        yield from _some("rounds were paid otherwise", payments_unlike_replay(studio.lines))


def _books_are_right(_outcome: Outcome) -> Iterable[str]:
    for query in NEVER_FOUND:
        if rows := rows_of(query):
            yield f"the books: {len(rows)} rows, {rows[:2]}, of {' '.join(query.split())[:200]}"
    if (total := rows_of(SUM_OF_ALL_BALANCES)[0][0]) != 0:
        yield f"the balances sum to {total} cents"


def _acknowledged_work_is_there(outcome: Outcome) -> Iterable[str]:
    load = outcome.load
    acknowledged = load.streams.acknowledged
    stored = set(Round.objects.values_list("reference", flat=True))
    yield from _some("acknowledged rounds are not stored", acknowledged - stored)
    opened = set(map(str, Dispute.objects.all()))
    yield from _some("acknowledged disputes are not stored", load.customers.opened - opened)
    if (evidence := DisputeEvidence.objects.count()) < load.customers.evidence:
        yield f"{load.customers.evidence} files were acknowledged and {evidence} are stored"
    executed = set(CaseRun.objects.exclude(finished_at=None).values_list("case_id", flat=True))
    missing = (load.office.approved | load.operators.approved) - executed
    yield from _some("approved cases were not executed", map(str, missing))
    closed = {str(day) for day in ClosedDay.objects.values_list("day", flat=True)}
    yield from _some("closed days are not closed", load.days.closed - closed)


def _history_has_an_order(outcome: Outcome) -> Iterable[str]:
    """What programs and exports have seen fits one order of what was committed."""
    history, exports = outcome.load.notes.history, outcome.place.folder / "exports"
    return anomalies_of(history, exports, earliest_meant=outcome.played.earliest_meant)


def _commands_agree(outcome: Outcome) -> Iterable[str]:
    for command in ("reconcile", "verify_trail", "verify_schema"):
        run = [sys.executable, "manage.py", command]
        done = subprocess.run(run, cwd=CLONE, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = (done.stdout + done.stderr)[-_END_OF_OUTPUT:]
            yield f"{command} exits with {done.returncode}: {said}"
    try:
        assert_log_is_verified(outcome.place.log_key)
    except AssertionError as error:
        yield f"the signed log: {error}"


def _calls_failed_in_faults_only(outcome: Outcome) -> Iterable[str]:
    failed = calls_that_failed(outcome.load.notes.calls, outcome.played)
    lines = [
        f"{call.what}: {call.status or 'no answer'} at {call.at - outcome.played.began:.0f} s"
        for call in failed.outside
    ]
    yield from _some("calls failed outside of faults", lines)
    if any(call.what.startswith("browser") for call in failed.outside):
        yield f"people in Chromium could not do: {outcome.load.notes.failures}"


def _signatures_were_refused_by_wrong_clocks_only(outcome: Outcome) -> Iterable[str]:
    missing, groundless = refused_signatures(outcome.load.notes.refused_signatures, outcome.played)
    yield from (f"no signed request was refused in {name}" for name in missing)
    lines = [f"at {at - outcome.played.began:.0f} s" for at in groundless]
    yield from _some("signed requests were refused for their time", lines)


def _nothing_ended_by_itself(outcome: Outcome) -> Iterable[str]:
    for name, program in outcome.place.programs.items():
        for at in program.ended_by_itself:
            if not outcome.played.stops_calls(at):
                yield f"{name} ended by itself at {at - outcome.played.began:.0f} s"


def _memory_is_flat(outcome: Outcome) -> Iterable[str]:
    for growth in memory_growth(outcome.sampler.memory):
        if growth.is_leak:
            yield (
                f"the memory of {growth.name} grew from {growth.first_kb} to {growth.last_kb} kB"
                f" in {growth.seconds:.0f} seconds"
            )


def _alerts_are_those_expected(outcome: Outcome) -> Iterable[str]:
    played = outcome.played
    missing, groundless = unexpected(
        outcome.fired, played.faults, began=played.began, ended=played.ended
    )
    yield from (*missing, *groundless)
    for fault in played.faults:
        for fired in outcome.still_firing if fault.kind.is_renewed else ():
            if is_due_to(fired, fault, played.began):
                yield f"{fired.name} {fired.kind} fires after the renewal"


def _some(what: str, items: Iterable[Any]) -> Iterable[str]:
    """One sentence about items, if there are any."""
    if found := sorted(items):
        yield f"{len(found)} {what}: {', '.join(found[:_SHOWN])}"
