"""``make fuzz``: every target in turn, from what earlier runs kept in ``var/fuzzing``."""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tests.fuzzing.target import ROOT
from tests.fuzzing.targets import TARGETS

WORK: Final = ROOT / "var" / "fuzzing"
_EXECUTED: Final = re.compile(r"stat::number_of_executed_units: (\d+)")
_ARTIFACT: Final = re.compile(r"Test unit written to (\S+)")
_COVERAGE: Final = re.compile(r" cov: (\d+) ft: (\d+) ")
_SECONDS_OF_ONE_INPUT: Final = 20
_MOST_MEGABYTES: Final = 1_500


class Outcome(NamedTuple):
    """What a run of a target did."""

    executions: int
    branches: int
    crash: str
    """The file that reproduces a finding; empty without one."""
    output: str


def main() -> int:
    """Runs the targets; 1 if one of them has a finding, 2 if the fuzzer does not run."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    names = list(TARGETS)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(names))
    parser.add_argument("--minutes", type=float, default=60.0, help="in all, shared by the targets")
    parser.add_argument("--executions", type=int, help="of each target, instead of minutes")
    parser.add_argument("--folder", type=Path, default=WORK, help="what runs keep for later runs")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.targets if name not in names]
    if unknown:
        parser.error(f"found {', '.join(unknown)}; needed one of {', '.join(names)}")
    chosen = arguments.targets or names
    limit = f"-max_total_time={max(1, round(arguments.minutes * 60 / len(chosen)))}"
    if arguments.executions is not None:
        limit = f"-runs={arguments.executions}"
    findings = 0
    total = 0
    for name in chosen:
        outcome = run(name, limit, arguments.folder / name)
        if not outcome.executions and not outcome.crash:
            print(outcome.output)
            print(f"NOT FUZZED: {name}. The fuzzer did not run; its output is above.")
            return 2
        total += outcome.executions
        before = add_executions(arguments.folder / name, outcome.executions)
        print(
            f"{name:22} {outcome.executions:>11,} executions, {before:>12,} with earlier runs,"
            f" {outcome.branches:>6,} branches",
            flush=True,
        )
        if outcome.crash:
            findings += 1
            print(outcome.output)
            print(f"FINDING in {name}; reproduce it: make fuzz TARGET={name} FILE={outcome.crash}")
    print(f"{total:,} executions of {len(chosen)} targets; findings: {findings}")
    return 1 if findings else 0


def run(name: str, limit: str, folder: Path) -> Outcome:
    """Runs a target until its limit or its first finding."""
    corpus, crashes = folder / "corpus", folder / "crashes"
    for needed in (corpus, crashes):
        needed.mkdir(parents=True, exist_ok=True)
    completed = subprocess.run(
        [
            *(sys.executable, "-m", "tests.fuzzing.run_target", name, str(corpus), limit),
            *(f"-artifact_prefix={crashes}/", "-print_final_stats=1"),
            *(f"-timeout={_SECONDS_OF_ONE_INPUT}", f"-rss_limit_mb={_MOST_MEGABYTES}"),
            f"-report_slow_units={_SECONDS_OF_ONE_INPUT}",  # 10 by itself, as a finding
        ],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0", **_fuzzer(), **_folder_in_memory()},
    )
    output = completed.stderr + completed.stdout
    artifact = _ARTIFACT.search(output)
    return Outcome(
        int(found[1]) if (found := _EXECUTED.search(output)) else 0,
        max((int(branches) for branches, _features in _COVERAGE.findall(output)), default=0),
        artifact[1] if artifact else "",
        _end_of(output),
    )


def _fuzzer() -> dict[str, str]:
    """Where ``make fuzz`` installs the fuzzer: outside of what `make setup` installs."""
    folders = map(str, Path(sys.prefix).glob("fuzzer/lib/python*/site-packages"))
    places = [*folders, os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, places))}


def _folder_in_memory() -> dict[str, str]:
    """Where the targets put their files: the verifier's are made a hundred times a second."""
    memory = "/dev/shm"  # noqa: S108  a folder of its own is made in it
    return {"TMPDIR": memory} if os.access(memory, os.W_OK) else {}


def add_executions(folder: Path, executions: int) -> int:
    """Adds to the target's executions since its folder was made; returns them."""
    path = folder / "executions"
    before = int(path.read_text()) if path.exists() else 0
    path.write_text(f"{before + executions}\n")
    return before + executions


def _end_of(output: str) -> str:
    """The part that says what happened, without the fuzzer's progress."""
    lines = [line for line in output.splitlines() if not re.match(r"#\d|\"|INFO:", line)]
    return "\n".join(lines[-40:])


if __name__ == "__main__":
    sys.exit(main())
