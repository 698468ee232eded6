"""A bundle is made, and a receipt is complete, once a quorum of witnesses has cosigned."""

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from compliance.exports import verify_bundle
from compliance.exports.models import Bundle, ExportRun
from compliance.exports.scope import one_day
from compliance.exports.services.enqueue_export import enqueue_export
from compliance.exports.services.process_exports import process_exports
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.witnesses.ask_witnesses import ask_witnesses
from tests.casino.api.api_client import Program
from tests.casino.api.rounds.round_reader import read
from tests.casino.api.studio import studio
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.compliance.exports.exported_days import CLERK, key_in
from tests.compliance.trail.logs import KEY, write
from tests.compliance.trail.witnesses.running_witness import (
    LOG,
    RunningWitness,
    policy_of,
    running_witnesses,
)
from tests.documents import baccarat_round, lines
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)

pytestmark = pytest.mark.usefixtures("fresh_casino")


@pytest.fixture(autouse=True)
def _no_static_files(settings: Settings, tmp_path: Path) -> None:
    """As in a web host's folder before its first request."""
    settings.STATIC_ROOT = tmp_path


class TestTheBundleOfAClosedDay:
    def test_waits_for_a_quorum(self, two: list[RunningWitness], tmp_path: Path) -> None:
        """Then the regulator's script accepts it by the policy, and by no larger one."""
        key = key_in(tmp_path)
        open_table()
        arrive(dealt("r-1", NOON))
        settle_at()
        close()
        append_to_log(KEY, now=AFTER)
        run = enqueue_export(of=one_day(DAY), at=AFTER, actor=CLERK)

        assert work(tmp_path) == 0
        run.refresh_from_db()
        assert "found no quorum of witnesses for record" in run.last_error
        assert not Bundle.objects.exists()

        ask_witnesses()
        assert work(tmp_path) == 1
        bundle = tmp_path / "out" / Bundle.objects.get().path
        right = verdict(tmp_path, bundle, key.key_id, f"log {LOG}\n{policy_of(two)}")
        assert right.returncode == 0, right.stdout
        assert "has cosigned each head: one.example/witness, two.example/witness." in right.stdout
        plain = verdict(tmp_path, bundle, key.key_id)
        assert plain.returncode == 0
        assert "Cosigned by one.example/witness, two.example/witness: pass --policy" in plain.stdout
        with running_witnesses(tmp_path / "others", "three") as [third]:
            stricter = verdict(tmp_path, bundle, key.key_id, policy_of([*two, third]))
        assert stricter.returncode == 1
        assert "is cosigned by one, two, not enough" in stricter.stdout

    @pytest.mark.slow
    def test_stays_the_same_when_the_log_goes_on(
        self, two: list[RunningWitness], tmp_path: Path
    ) -> None:
        """Its proofs are under the first head that a quorum cosigned."""
        key_in(tmp_path)
        open_table()
        arrive(dealt("r-1", NOON))
        settle_at()
        close()
        append_to_log(KEY, now=AFTER)
        ask_witnesses()
        enqueue_export(of=one_day(DAY), at=AFTER, actor=CLERK)
        work(tmp_path)
        write(5)
        append_to_log(KEY, now=AFTER)
        ask_witnesses()

        again = enqueue_export(of=one_day(DAY), at=AFTER, actor=CLERK)
        work(tmp_path)

        again.refresh_from_db()
        assert (again.is_new, Bundle.objects.count()) == (False, 1)


class TestAReceipt:
    def test_says_whether_it_is_complete(self, two: list[RunningWitness]) -> None:
        """The customer asks again; what the witnesses signed comes with each proof."""
        program = studio_of_a_settled_round()
        early = read(program, "/r-1/receipt")
        ask_witnesses()

        late = read(program, "/r-1/receipt")

        assert (early["complete"], late["complete"]) == (False, True)
        assert [len(record["cosignatures"]) for record in early["records"]] == [0, 0]
        assert [len(record["cosignatures"]) for record in late["records"]] == [2, 2]

    def test_is_complete_where_nobody_has_to_cosign(self) -> None:
        """As before there were witnesses."""
        program = studio_of_a_settled_round()

        receipt = read(program, "/r-1/receipt")

        assert receipt["complete"]
        assert [record["cosignatures"] for record in receipt["records"]] == [[], []]


def studio_of_a_settled_round() -> Program:
    """The program of a studio whose round is settled, and in the signed log."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    append_to_log(KEY, now=by_now())
    return studio()


def work(folder: Path) -> int:
    """Makes the bundles that can be made; returns their number."""
    assert ExportRun.objects.exists()
    return process_exports(now=lambda: AFTER, key=folder / "export.key", folder=folder / "out")


def verdict(
    folder: Path, bundle: Path, key_id: str, policy: str = ""
) -> "subprocess.CompletedProcess[str]":
    """What the regulator's script says, as it is run."""
    (folder / "policy").write_text(policy)
    command = [sys.executable, "-I", verify_bundle.__file__, "--key-id", key_id]
    command += ["--policy", str(folder / "policy")] if policy else []
    return subprocess.run([*command, bundle], capture_output=True, text=True, check=False)
