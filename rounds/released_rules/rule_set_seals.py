"""Seals of released rule sets: digests that detect every later change.

For every released rule set there are three files: its definition as text, a feed, and the verdicts
on every line of that feed. The first pins the declaration, the others the behaviour of the code:
refactored code keeps a seal, a changed rule breaks it.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final, NamedTuple

from rounds.replay import Judged, judge_lines
from rounds.rules.catalogue import catalogue_of
from rounds.rules.rule_set import RuleSet

RELEASED: Final = Path(__file__).parents[1] / "rules" / "released"
"""The folder of the seals of this product."""

_SEALS: Final = "seals.json"
_MOST_DIFFERENCES: Final = 12


class Seal(NamedTuple):
    """The date of release, and the SHA-256 digests of the definition and the verdicts."""

    released: date
    definition: str
    behaviour: str


class AlreadyReleasedError(Exception):
    """The rule set is released already."""


def seals_in(folder: Path = RELEASED) -> dict[str, Seal]:
    """The seals by name of the rule set, in the order of release."""
    file = folder / _SEALS
    seals = json.loads(file.read_text()) if file.exists() else {}
    return {
        name: Seal(date.fromisoformat(entry["released"]), entry["definition"], entry["behaviour"])
        for name, entry in seals.items()
    }


def seal(rules: RuleSet, feed: Iterable[bytes], *, on: date, folder: Path = RELEASED) -> Seal:
    """Releases a rule set: writes its definition, the feed, the verdicts and the seal.

    Raises AlreadyReleasedError if it has a seal; nothing is written then.
    """
    seals = seals_in(folder)
    if rules.name in seals:
        raise AlreadyReleasedError(f"{rules.name} is released: make a new version")
    lines = list(feed)
    verdicts = list(verdict_lines(rules, lines))
    new_seal = Seal(on, rules.digest.hex(), _digest_of(verdicts))
    folder.mkdir(parents=True, exist_ok=True)
    _definition_file(rules, folder).write_text(rules.definition)
    _write(_feed_file(rules, folder), lines)
    _write(_verdicts_file(rules, folder), verdicts)
    _write_seals({**seals, rules.name: new_seal}, folder)
    return new_seal


def breaks_of(rules: RuleSet, folder: Path = RELEASED) -> list[str]:
    """The differences between a rule set and its release, as lines of text; empty for none."""
    sealed = seals_in(folder).get(rules.name)
    if sealed is None:
        return [f"{rules.name} has no seal: release it with `manage.py seal`"]
    return [
        *_definition_breaks(rules, sealed, folder),
        *_behaviour_breaks(rules, sealed, folder),
    ]


def feed_of(rules: RuleSet, folder: Path = RELEASED) -> list[bytes]:
    """The feed in the seal of a released rule set."""
    return _read(_feed_file(rules, folder))


def verdict_lines(rules: RuleSet, feed: Iterable[bytes]) -> Iterator[bytes]:
    """The verdict on each line of a feed as JSON: money, chips, reasons and anomalies."""
    for judged in judge_lines(feed, catalogue_of(rules)):
        result: dict[str, Any] = {"status": "rejected", "line": judged[0]}
        if isinstance(judged, Judged):
            dealt, verdict = judged
            bets = zip(dealt.bets, verdict.grades, strict=False)
            grades = {bet.id: grade for bet, grade in bets}
            result = {**verdict._asdict(), "round": dealt.round, "grades": grades}
        yield json.dumps(result, separators=(",", ":")).encode()


def _definition_breaks(rules: RuleSet, sealed: Seal, folder: Path) -> Iterator[str]:
    if rules.digest.hex() != sealed.definition:
        released = _definition_file(rules, folder).read_text().splitlines()
        yield f"{rules.name} declares something else than when it was released:"
        yield from unified_diff(
            released, rules.definition.splitlines(), "released", "now", lineterm="", n=1
        )
        yield "A released rule set never changes: make a new version."


def _behaviour_breaks(rules: RuleSet, sealed: Seal, folder: Path) -> Iterator[str]:
    released = _read(_verdicts_file(rules, folder))
    now = list(verdict_lines(rules, feed_of(rules, folder)))
    if _digest_of(now) != sealed.behaviour:
        yield f"{rules.name} judges otherwise than when it was released:"
        pairs = zip(released, now, strict=False)
        differing = [(before, after) for before, after in pairs if before != after]
        for before, after in differing[:_MOST_DIFFERENCES]:
            yield from (f"-{before.decode()}", f"+{after.decode()}")
        yield f"{len(differing)} of {len(released)} verdicts differ."
        yield "A released rule set never changes: make a new version."


def _digest_of(lines: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()


def _definition_file(rules: RuleSet, folder: Path) -> Path:
    return folder / f"{_stem_of(rules)}.txt"


def _feed_file(rules: RuleSet, folder: Path) -> Path:
    return folder / f"{_stem_of(rules)}.feed.ndjson.gz"


def _verdicts_file(rules: RuleSet, folder: Path) -> Path:
    return folder / f"{_stem_of(rules)}.verdicts.ndjson.gz"


def _stem_of(rules: RuleSet) -> str:
    return rules.name.replace("/", "-")


def _write(file: Path, lines: Iterable[bytes]) -> None:
    file.write_bytes(gzip.compress(b"\n".join(lines), mtime=0))


def _read(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).split(b"\n")


def _write_seals(seals: Mapping[str, Seal], folder: Path) -> None:
    entries = {
        name: {**entry._asdict(), "released": entry.released.isoformat()}
        for name, entry in seals.items()
    }
    (folder / _SEALS).write_text(json.dumps(entries, indent=2) + "\n")
