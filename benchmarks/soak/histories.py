"""What programs and exports of a soak have seen of rounds, checked against what was committed."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

from compliance.exports.models import Bundle, ExportRun
from tests.histories.anomalies import anomalies
from tests.histories.operations import ABSENT, Committed, History, Operation
from tests.histories.snapshots import STORED, committed_rounds, seen_of, thing_of

_BETS: Final = "registers/bets.jsonl"


def note_round(history: History, detail: Mapping[str, Any], *, began: float) -> None:
    """A round as the API has just answered it."""
    paid = [settlement["payout_cents"] for settlement in detail["settlements"]]
    saw = {thing_of(detail["round"]): seen_of(paid)}
    history.add(Operation("GET a round", began, time.time(), saw=saw))


def note_stored(history: History, references: Collection[str], *, began: float) -> None:
    """Rounds that an answer has just said to be stored."""
    wrote = {thing_of(reference): 0 for reference in references}
    history.add(Operation("POST a stream", began, time.time(), wrote=wrote))


def anomalies_of(
    history: History, exports: Path, *, earliest_meant: Callable[[float], float]
) -> list[str]:
    """What cannot be, as sentences; ``exports`` is the folder of the bundles.

    ``earliest_meant`` is the earliest time at which a web host may have written down a time.
    """
    committed = committed_rounds()
    read = [*history.operations, *_exports(committed, exports, earliest_meant)]
    return anomalies(read, committed)


def _exports(
    committed: Committed, folder: Path, earliest_meant: Callable[[float], float]
) -> Iterator[Operation]:
    """Each export shows the rounds booked on its days, as they were at one moment after it began.

    Whoever asks for one is promised everything that was answered until then.
    """
    runs = ExportRun.objects.filter(contents=Bundle.Contents.REGISTERS, game="", customer="")
    for run in runs.exclude(bundle=None).select_related("bundle"):
        if run.bundle is None or run.finished_at is None:
            continue
        days = range(run.first_day.toordinal(), run.last_day.toordinal() + 1)
        with ZipFile(folder / run.bundle.path) as archive:
            found = _rounds_in(archive.read(_BETS).splitlines())
        saw = {
            thing: found.get(thing, ABSENT)
            for thing, versions in committed.items()
            if versions[0].era in days
        }
        yield Operation(
            f"export {run.pk} of {run.first_day}",
            earliest_meant(run.asked_at.timestamp()),
            run.finished_at.timestamp(),
            saw={**saw, **found},
            era=run.last_day.toordinal(),
        )


def _rounds_in(lines: Iterable[bytes]) -> dict[str, tuple[int, str]]:
    """The rounds of a register of bets; each bet has a line."""
    sequences: dict[str, int] = {}
    cents: defaultdict[str, int] = defaultdict(int)
    for line in lines:
        bet = json.loads(line)
        thing = thing_of(bet["round"])
        sequences[thing] = bet["settlement"] or 0
        cents[thing] += bet["payout_cents"] or 0
    return {
        thing: (sequence, str(cents[thing]) if sequence else STORED)
        for thing, sequence in sequences.items()
    }
