"""``make mutants``: changes a package in many places, and lists what no test notices."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.mutants.mutant import Mutant, Place
from tests.mutants.results import Results
from tests.mutants.run_mutants import MutantRun
from tests.mutants.survivors import declared_survivors, line_of
from tests.mutants.targets import TARGETS, Target


def main() -> int:
    """1 if a mutant survives without a reason, 2 if the tests fail without a change."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("only", help=f"a folder or a module of {', '.join(TARGETS)}")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="a later run goes on")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=Path("var/mutants"))
    arguments = parser.parse_args()
    only = arguments.only.rstrip("/")
    targets = [target for name, target in TARGETS.items() if f"{only}/".startswith(f"{name}/")]
    if not targets:
        parser.error(f"found {only}; needed a part of {', '.join(TARGETS)}")
    mutants = read_mutants(arguments.folder / "mutants.jsonl")
    results = Results(arguments.folder / "results.jsonl", targets[0].tests)
    new = [mutant for mutant in mutants if results.verdict_of(mutant) is None]
    ends_at = time.monotonic() + arguments.minutes * 60
    if new and not run(new, results, targets[0], arguments.processes, ends_at):
        return 2
    return report(mutants, results)


def read_mutants(file: Path) -> list[Mutant]:
    """As ``tests.mutants.generate`` has printed them."""
    lines = map(json.loads, file.read_text().splitlines())
    return [Mutant(Place(*place), source) for place, source in lines]


def run(
    mutants: list[Mutant], results: Results, target: Target, processes: int, ends_at: float
) -> bool:
    """Whether the mutants could run."""
    with tempfile.TemporaryDirectory() as folder:
        plugin = MutantRun(mutants, results, Path(folder), target.arguments)
        plugin.processes = processes
        plugin.seconds = target.seconds
        plugin.ends_at = ends_at
        plugin.note_calls()
        pytest.main(target.arguments, plugins=[plugin])
    for said in plugin.stopped:
        print(f"STOPPED, and not counted: {said}")
    if plugin.failure:
        print(f"NOT RUN: the tests have to pass without a change.\n{plugin.failure}")
    return not plugin.failure


def report(mutants: list[Mutant], results: Results) -> int:
    """Prints the figures, and the survivors without a reason as lines of the file of reasons."""
    reasons = declared_survivors(Path(__file__).parent / "survivors.toml")
    counted = Counter(results.verdict_of(mutant) for mutant in mutants)
    survivors = [m.place for m in mutants if results.verdict_of(m) == "survived"]
    bare = [place for place in survivors if not reasons.get(place)]
    undecided = {m.place for m in mutants if results.verdict_of(m) is None}
    paths = {mutant.place.path for mutant in mutants}
    for place in reasons:
        if place.path in paths and place not in {*survivors, *undecided}:
            print(f"A reason that no survivor needs any more: {' | '.join(place)}")
    for place in dict.fromkeys(bare):
        print(line_of(place))
    print(
        f"\n{len(mutants):,} mutants: {counted['killed']:,} killed,"
        f" {counted['killed by time']:,} killed by time,"
        f" {len(survivors) - len(bare):,} survived with a reason,"
        f" {len(bare):,} survived without one, {counted[None]:,} did not run"
    )
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
