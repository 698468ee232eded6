"""The report of a soak, `docs/administrator/soak.md`, with charts of what was measured."""

import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from benchmarks.charts import Lines, Points
from benchmarks.soak.alerts import FACTOR, all_alerts, is_due_to, unexpected
from benchmarks.soak.checks import Outcome
from benchmarks.soak.figures import (
    calls_that_failed,
    latency_of,
    memory_growth,
    rates,
)
from benchmarks.soak.load.calls import Call
from benchmarks.soak.play import Played, recovery_seconds
from benchmarks.soak.schedule import KINDS
from casino.embedded.server_paths import CLONE

_DOCS: Final = CLONE / "docs"
_PAGE: Final = "administrator/soak.md"
_TEXT: Final = Path(__file__).with_name("report.md")
_RATE_SECONDS: Final = 10.0
_LATENCY_SECONDS: Final = 20.0
_NONE: Final = "–"  # noqa: RUF001  as in the other pages
_MB: Final = 1_024
_GIB: Final = 1 << 30


def publish(outcome: Outcome, reasons: Sequence[str], *, folder: Path | None) -> None:
    """Writes the report and its charts, into the documentation unless a folder is named."""
    pictures, page = (folder or _DOCS) / "images", (folder or _DOCS) / _PAGE
    for path in (pictures, page.parent):
        path.mkdir(parents=True, exist_ok=True)
    for name, chart in charts_of(outcome):
        (pictures / f"soak-{name}.svg").write_text(chart.svg())
    values = {
        "result": "\n".join(f"- {reason}" for reason in reasons) or "Everything held.",
        "played": _played(outcome),
        "faults": _faults(outcome),
        "alerts": _alerts(outcome),
        "latencies": _latencies(outcome),
        "memory": _memory(outcome),
        "done": _done(outcome),
        "factor": str(FACTOR),
        "missing": _missing(outcome),
    }
    text = _TEXT.read_text()
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    page.write_text(text)


def charts_of(outcome: Outcome) -> Iterator[tuple[str, Lines]]:
    """The charts by the names of their files."""
    played, samples = outcome.played, outcome.sampler.samples
    minutes = (played.ended - played.began) / 60
    marks = [(fault.at / 60, fault.until / 60) for fault in played.faults]

    every = max(1, round(minutes / 10))
    ticks = {float(minute): f"{minute} min" for minute in range(0, int(minutes) + 1, every)}

    def chart(title: str, unit: str, lines: Mapping[str, Points]) -> Lines:
        return Lines(title, unit, lines, minutes, ticks, marks)

    inside = [it for it in samples if played.began <= it.at <= played.ended]
    settled = [(_minute(at, played), rate) for at, rate in rates(inside, every=_RATE_SECONDS)]
    yield "settled", chart("Rounds settled", "a second", {"rounds": settled})
    ages = [(_minute(it.at, played), it.age) for it in inside if it.age is not None]
    yield "age", chart("Age of the oldest round that waits", "seconds", {"age": ages})
    calls = outcome.load.notes.calls
    lines = {
        f"{what}, p95": list(_p95s([it for it in calls if it.what.startswith(what)], played))
        for what in ("api", "page", "browser")
    }
    yield "latency", chart("Time of an answer", "seconds", lines)
    yield "memory", chart("Memory by process, with its children", "MB", _memory_lines(outcome))


def _minute(at: float, played: Played) -> float:
    return (at - played.began) / 60


def _p95s(calls: Sequence[Call], played: Played) -> Iterator[tuple[float, float]]:
    for step, group in groupby(
        calls, key=lambda call: int((call.at - played.began) / _LATENCY_SECONDS)
    ):
        if latency := latency_of(group):
            yield step * _LATENCY_SECONDS / 60, latency.p95


def _memory_lines(outcome: Outcome) -> dict[str, Points]:
    played, lines = outcome.played, dict[str, list[tuple[float, float]]]()
    for sample in outcome.sampler.memory:
        if played.began <= sample.at <= played.ended:
            point = (_minute(sample.at, played), sample.kb / _MB)
            lines.setdefault(sample.name, []).append(point)
    return dict(lines)


def _played(outcome: Outcome) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    settled = [it.settled for it in outcome.sampler.samples if it.settled is not None]
    minutes = (outcome.played.ended - outcome.played.began) / 60
    sent = sum(len(studio.lines) + len(studio.late) for studio in outcome.load.studios)
    return _table(
        ("", ""),
        [
            ("seed", str(outcome.seed)),
            (
                "machine",
                f"{os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}",
            ),
            ("broker", outcome.place.broker.name),
            ("load", f"{minutes:.1f} minutes"),
            ("documents sent", f"{sent:,}"),
            ("rounds settled", f"{settled[-1] if settled else 0:,}"),
            ("calls of API and pages", f"{len(outcome.load.notes.calls):,}"),
            ("faults", str(len(outcome.played.faults))),
            ("events accepted by the webhook", f"{len(outcome.receiver.events):,}"),
        ],
    )


def _faults(outcome: Outcome) -> str:
    played = outcome.played
    rows = []
    for fault in played.faults:
        recovery = recovery_seconds(fault, played, outcome.sampler)
        names = sorted({it.name for it in outcome.fired if is_due_to(it, fault, played.began)})
        rows.append(
            (
                f"{int(fault.at) // 60}:{int(fault.at) % 60:02}",
                fault.kind.text,
                f"{fault.kind.seconds:.0f}" if fault.kind.seconds else _NONE,
                "not in time" if recovery is None else f"{recovery:.0f}",
                ", ".join(f"`{name}`" for name in fault.kind.must) or _NONE,
                ", ".join(f"`{name}`" for name in names) or _NONE,
            )
        )
    return _table(("at", "fault", "seconds", "to recover, s", "must fire", "began to fire"), rows)


def _alerts(outcome: Outcome) -> str:
    missing, groundless = unexpected(
        outcome.fired,
        outcome.played.faults,
        began=outcome.played.began,
        ended=outcome.played.ended,
    )
    rows = []
    for name in sorted({fired.name for fired in outcome.fired}):
        spans = [fired for fired in outcome.fired if fired.name == name]
        kinds = sorted({fired.kind for fired in spans if fired.kind})
        seconds = sum(fired.ended - fired.began for fired in spans)
        rows.append((f"`{name}`", ", ".join(kinds) or _NONE, str(len(spans)), f"{seconds:.0f}"))
    table = _table(("alert", "kind", "times", "seconds in all"), rows)
    silent = sorted(set(all_alerts()) - {fired.name for fired in outcome.fired})
    return (
        f"{table}\n\nDid not fire and should have: {len(missing)}. Fired without a reason:"
        f" {len(groundless)}. Silent: {', '.join(f'`{name}`' for name in silent)}."
    )


def _latencies(outcome: Outcome) -> str:
    rows = []
    failed = calls_that_failed(outcome.load.notes.calls, outcome.played)
    for what, title in (("api", "API"), ("page", "pages"), ("browser", "in Chromium")):
        calls = [call for call in outcome.load.notes.calls if call.what.startswith(what)]
        for is_inside, where in ((False, "outside of faults"), (True, "in faults")):
            chosen = [call for call in calls if _is_in_fault(call, outcome.played) == is_inside]
            latency = latency_of(chosen)
            broken = failed.inside if is_inside else failed.outside
            number = sum(call.what.startswith(what) for call in broken)
            if latency is not None:
                rows.append(
                    (
                        f"{title}, {where}",
                        f"{latency.calls:,}",
                        *(f"{value * 1000:,.0f}" for value in latency[1:]),
                        str(number),
                    )
                )
    return _table(("", "answers", "median ms", "p95 ms", "longest ms", "5xx or no answer"), rows)


def _is_in_fault(call: Call, played: Played) -> bool:
    return any(
        played.began + fault.at - call.seconds <= call.at <= played.began + fault.until + 10
        for fault in played.faults
    )


def _memory(outcome: Outcome) -> str:
    rows = [
        (
            growth.name,
            f"{growth.seconds / 60:.0f}",
            f"{growth.first_kb:,}",
            f"{growth.last_kb:,}",
            f"{growth.kb_per_hour:+,.0f}",
        )
        for growth in memory_growth(outcome.sampler.memory)
    ]
    table = _table(("process", "minutes", "first kB", "last kB", "kB an hour"), rows)
    connections = [it.connections for it in outcome.sampler.samples if it.connections is not None]
    return f"{table}\n\nConnections to the primary: at most {max(connections, default=0)}."


def _done(outcome: Outcome) -> str:
    done = outcome.load.notes.done
    return _table(("what", "how often"), [(what, f"{done[what]:,}") for what in sorted(done)])


def _missing(outcome: Outcome) -> str:
    played = {fault.kind.name for fault in outcome.played.faults}
    names = [name for name in KINDS if name not in played]
    if not names:
        return "Every kind of fault was played."
    cannot = (
        f" This machine cannot play {', '.join(outcome.impossible)}." if outcome.impossible else ""
    )
    return f"Not played in this run: {', '.join(names)}.{cannot}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
