"""The metrics of what is stored. Each query reads few rows, however many rounds there are."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Final

from django.db.models import Max, Sum
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from casino.integrations.deliver_events import states_in_force
from casino.operations.expiries import next_expiries
from compliance.exports.bundle_status import unsent_bundles
from compliance.siem.backlog import current_backlogs
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyStatus, status_of_key
from compliance.trail.log.log_losses import found_loss
from compliance.trail.log.log_reader import log_size
from compliance.trail.log.log_status import oldest_pending
from compliance.trail.witnesses.cosigned_heads import not_cosigned_since, witness_statuses
from payouts.cases.halt_cases import is_halted
from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.integrity.models import IntegrityStop
from payouts.integrity.stop_settlement import open_stops
from payouts.recheck.count_verified import recheck_figures
from payouts.reconciliation.models import ReconcileRun
from payouts.settlement.models import DailyRounds
from payouts.settlement.queries import held_rounds
from payouts.stuck_work.kinds import count_stuck_by_kind
from rounds.gaming_day import gaming_day
from rounds.models import ClosedDay, QueuedRound
from rounds.row_mapping import milliseconds_of
from rounds.suspended_tables import WAITS_FOR_TABLE

PREFIX: Final = "sabot_"
_MOST_COUNTED: Final = 10_000
_A_DAY: Final = timedelta(days=1)

Query = Callable[[datetime], Iterator[Metric]]


class _SettledRounds:
    """The number of settled rounds, by daily totals. Those of closed days are added up once."""

    def __init__(self) -> None:
        self._closed_to = date.min
        self._closed = 0

    def count(self) -> int:
        """Rounds by their latest settlements, void ones included."""
        last = ClosedDay.objects.aggregate(last=Max("day"))["last"] or date.min
        if last < self._closed_to:  # another database
            self._closed_to, self._closed = date.min, 0
        if last > self._closed_to:
            self._closed += _rounds_of(first=self._closed_to + _A_DAY, last=last)
            self._closed_to = last
        return self._closed + _rounds_of(first=last + _A_DAY, last=date.max)


def _rounds_of(*, first: date, last: date) -> int:
    days = DailyRounds.objects.filter(day__gte=first, day__lte=last)
    return int(days.aggregate(number=Sum("rounds"))["number"] or 0)


_SETTLED: Final = _SettledRounds()


def _rounds(at: datetime) -> Iterator[Metric]:
    settled, waiting = _SETTLED.count(), QueuedRound.objects.count()
    held = held_rounds().distinct().count()
    received = settled + held + waiting
    yield _counter("rounds_received", "Rounds that were stored", received)
    yield _counter("rounds_settled", "Rounds that were settled, void ones included", settled)
    yield _gauge("rounds_held", "Rounds whose payout waits for a decision", held)
    yield _gauge("queue_rounds", "Rounds that wait for a worker", waiting)
    due = QueuedRound.objects.filter(~WAITS_FOR_TABLE).select_related("round")
    oldest = due.order_by("arrival").first()
    since = None if oldest is None else oldest.round.received_at
    text = "Since when the oldest round waits, 0 without one; not those of suspended tables"
    yield _gauge("queue_oldest_age_seconds", text, _age(since, at))


def _audit_log(at: datetime) -> Iterator[Metric]:
    text = "Age of the oldest audit record that no tree head signs yet, 0 without one"
    yield _gauge("audit_oldest_unsigned_age_seconds", text, _age(oldest_pending(), at))
    text = "Age of the oldest signed head that no quorum of witnesses covers, 0 without one"
    yield _gauge("audit_oldest_uncosigned_age_seconds", text, _age(not_cosigned_since(), at))
    ages = {it.witness.key.name: _age(it.behind_since, at) for it in witness_statuses()}
    text = "Age of the oldest signed head that the witness has not cosigned, 0 without one"
    yield _by("witness", "audit_witness_behind_seconds", text, ages)
    loss = found_loss()
    text = "Signed audit records that a restored database has lost, until two persons declare that"
    yield _gauge("audit_lost_records", text, 0 if loss is None else loss.records)


def _reconciliation(at: datetime) -> Iterator[Metric]:
    full = ReconcileRun.objects.filter(first_day=None, last_day=None, round=None)
    run = full.filter(finished_at__isnull=False).order_by("-pk").first()
    if run is None:
        return
    differences = run.parts.aggregate(number=Sum("differences"))["number"] or 0
    text = "Differences that the latest reconciliation of everything found"
    yield _gauge("reconciliation_differences", text, differences)
    text = "Age of the latest reconciliation of everything, from its end"
    yield _gauge("reconciliation_age_seconds", text, _age(run.finished_at, at))


def _exceptions(at: datetime) -> Iterator[Metric]:
    counted = count_stuck_by_kind(at, most=_MOST_COUNTED)
    text = f"Items in the exceptions queue, counted up to {_MOST_COUNTED}"
    yield _by("kind", "exceptions", text, {kind.value: n for kind, n in counted.items()})


def _days(at: datetime) -> Iterator[Metric]:
    first = next_day_to_close()
    today = gaming_day(milliseconds_of(at))
    overdue = 0 if first is None else max((today - first).days, 0)
    yield _gauge("days_to_close", "Gaming days that are over and not closed", overdue)


def _bundles(at: datetime) -> Iterator[Metric]:
    yield _gauge("bundles_unsent", "Bundles that are not sent yet", unsent_bundles().count())


def _webhooks(at: datetime) -> Iterator[Metric]:
    states = states_in_force(at).values_list("seen", "stopped_at")
    size = log_size()
    backlogs = [size - seen for seen, _stopped in states]
    text = "Audit records that the slowest webhook has not passed yet"
    yield _gauge("webhook_backlog_records", text, max([0, *backlogs]))
    stopped = sum(stopped_at is not None for _seen, stopped_at in states)
    yield _gauge("webhooks_stopped", "Webhooks that have stopped", stopped)


def _siem(at: datetime) -> Iterator[Metric]:
    backlogs = current_backlogs()
    text = "Signed audit records that a receiver of the SIEM has not confirmed"
    records = {backlog.receiver: float(backlog.records) for backlog in backlogs}
    yield _by("receiver", "siem_backlog_records", text, records)
    text = "Since when the oldest of these is signed, 0 without one"
    ages = {backlog.receiver: _age(backlog.waits_since, at) for backlog in backlogs}
    yield _by("receiver", "siem_oldest_age_seconds", text, ages)


def _keys(at: datetime) -> Iterator[Metric]:
    days = {kind: (end - at) / _A_DAY for kind, end in next_expiries(at).items()}
    yield _by("kind", "expiry_days", "Days until the next one of the kind expires", days)
    keys = SigningKey.objects.prefetch_related("steps")
    people = {key.person_id for key in keys if status_of_key(key, at=at) is KeyStatus.IN_FORCE}
    text = "Persons who have a signing key in force: two are needed to decide"
    yield _gauge("signing_key_people", text, len(people))


def _cases(at: datetime) -> Iterator[Metric]:
    counted = Counter(stop.kind for stop in open_stops())
    text = "Failed checks of integrity after which two persons have not resumed settlement"
    kinds = {kind: float(counted[kind]) for kind in IntegrityStop.Kind.values}
    yield _by("kind", "integrity_stops", text, kinds)
    yield _gauge("cases_halted", "1 while the execution of cases is halted", int(is_halted()))


def _recheck(at: datetime) -> Iterator[Metric]:
    figures = recheck_figures(at=at)
    text = "Time since workers verified some of what is stored again"
    yield _gauge("recheck_age_seconds", text, figures.age_seconds(at))
    text = "Rounds of all times, drawn at random, that were judged again within a day"
    yield _gauge("recheck_random_rounds", text, figures.random_rounds)
    if figures.recent_seconds is not None:
        text = "Within this time a changed round of the last hours is found"
        yield _gauge("recheck_recent_seconds", text, figures.recent_seconds)
    if figures.mean_seconds is not None:
        text = "Mean time until a changed round of any age is drawn"
        yield _gauge("recheck_mean_seconds", text, figures.mean_seconds)


QUERIES: Final[tuple[Query, ...]] = (
    _rounds,
    _audit_log,
    _reconciliation,
    _exceptions,
    _days,
    _bundles,
    _webhooks,
    _siem,
    _keys,
    _cases,
    _recheck,
)
"""All of them; read in one snapshot."""


def _age(since: datetime | None, at: datetime) -> float:
    return 0 if since is None else max((at - since).total_seconds(), 0)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(PREFIX + name, text, value)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(PREFIX + name, text, value)


def _by(label: str, name: str, text: str, values: dict[str, float]) -> Metric:
    metric = GaugeMetricFamily(PREFIX + name, text, labels=[label])
    for key, value in values.items():
        metric.add_metric([key], value)
    return metric
