"""A month leaves the database and comes back from its archive, with every byte."""

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import DatabaseError

from casino.embedded.server_paths import CLONE
from compliance.archive.rejudge import (
    begin_rejudging,
    findings_of,
    finish_rejudging,
    work_on_part,
)
from compliance.exports.scope import one_day
from compliance.exports.services.build_bundle import build_bundle
from compliance.storage.month_tables import part_name
from compliance.trail.models import AuditRecord
from payouts.disputes.models import DisputeFinding
from rounds.models import Bet, Round
from tests.compliance.archive.archived_months import MONTH, Archived, write
from tests.compliance.archive.removable_months import (
    DAY,
    OWNER,
    YEARS_LATER,
    detach,
    digests,
    drop_parts,
    execute,
    findings,
    other_tables,
    parts,
    relations,
    restore,
)
from tests.compliance.exports.exported_days import CLERK, contents
from tests.payouts.disputes.dispute_scenarios import disputed

_KILLED = """
import os, signal, sys, django; django.setup()
from pathlib import Path
import compliance.archive.moved_months.restore_month as service
from compliance.archive.recorded_archives import require_archive
from compliance.exports.bundle.signing import certificate_digests
from tests.compliance.archive.removable_months import MONTH, OWNER, YEARS_LATER
folder, key = map(Path, sys.argv[1:])
def die(*_given, **_named): os.kill(os.getpid(), signal.SIGKILL)
def progress(step):
    if step.startswith({step!r}): die()
{stop}
service.restore_month(
    MONTH, require_archive(MONTH), folder=folder, keys=certificate_digests(key),
    at=YEARS_LATER, actor=OWNER, progress=progress,
)
"""
_STOPS = {
    "after some tables": ("comparing payouts_transfer_2026_11", ""),
    "before the second is attached": (
        "never",
        """
attach = service.attach_part
def stop(table, *given): die() if table != 'payouts_betsettlement' else attach(table, *given)
service.attach_part = stop
""",
    ),
    "before it is recorded": ("never", "service.record_entries = die"),
}


class TestAMonth:
    @pytest.mark.slow
    @pytest.mark.timeout(300)
    def test_comes_back_with_every_byte(self, removable: Archived, tmp_path: Path) -> None:
        """Rows, tables, indexes, triggers and rights; and nothing else has changed."""
        bundle = _bundle(removable, tmp_path / "before")
        schema, rows, others, rounds = relations(), digests(removable), other_tables(), _rounds()
        assert findings() == []
        detach(removable)
        drop_parts()
        assert _rounds() == []
        others = other_tables()

        restored = restore(removable)

        assert restored.tables == [part.removesuffix("_2026_11") for part in parts()]
        assert (relations(), digests(removable), _rounds()) == (schema, rows, rounds)
        assert other_tables() == others
        assert findings() == []
        _judge_again(removable)
        again = _bundle(removable, tmp_path / "after")
        assert bundle.pop("manifest.json.p7s") != again.pop("manifest.json.p7s")
        assert bundle == again
        bet = Bet.objects.select_related("round", "customer")[0]
        dispute = disputed(bet.round.reference, bet.customer.pseudonym, at=YEARS_LATER)
        assert DisputeFinding.objects.get(dispute=dispute).agrees
        record = AuditRecord.objects.get(action="MONTH_RESTORED")
        assert (record.subject, record.actor) == ("archive:2026-11", OWNER.name)
        assert record.details == {
            "archive": "2026-11.1",
            "list_sha256": removable.recorded.list_sha256,
            "rows": restored.rows,
            "tables": {name: rows[name] for name in restored.tables},
        }

    @pytest.mark.slow
    def test_comes_back_from_many_files(
        self, removable: Archived, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of slices, as those of large months; and a second time."""
        monkeypatch.setattr("compliance.archive.archived_tables._WEIGHT_OF_ROUNDS", 60)
        write(removable.folder.parent, removable.key)
        rows = digests(removable)
        for _ in range(2):
            detach(removable)
            drop_parts()

            restored = restore(removable)

            assert len(restored.archive.table("rounds_bet").files) > 5
            assert digests(removable) == rows

    @pytest.mark.slow
    def test_that_is_only_detached_is_attached(self, removable: Archived) -> None:
        """Once its rows are compared; nothing is loaded."""
        schema, rows, steps = relations(), digests(removable), list[str]()
        detach(removable)

        restore(removable, progress=steps.append)

        assert not [step for step in steps if step.startswith("loading")]
        assert (relations(), digests(removable)) == (schema, rows)

    @pytest.mark.slow
    def test_that_lacks_one_partition_gets_that_one(self, removable: Archived) -> None:
        """Also of the audit log, and without a record that it was detached."""
        schema, rows = relations(), digests(removable)
        for table in ("rounds_validation", "trail_loggedbatch"):
            part = part_name(table, MONTH)
            execute(f"ALTER TABLE {table} DETACH PARTITION {part}", f"DROP TABLE {part}")

        restored = restore(removable)

        assert restored.tables == ["rounds_validation", "trail_loggedbatch"]
        assert (relations(), digests(removable)) == (schema, rows)

    @pytest.mark.slow
    def test_that_came_back_is_guarded(self, removable: Archived) -> None:
        """As every month."""
        detach(removable)
        drop_parts()
        restore(removable)

        for change in ("TRUNCATE {}", "DELETE FROM {}", "UPDATE {} SET number = 0"):
            with pytest.raises(DatabaseError, match="pgtrigger: Cannot"):
                execute(change.format("rounds_bet_2026_11"))

    @pytest.mark.slow
    @pytest.mark.parametrize("stop", list(_STOPS))
    def test_whose_process_is_killed_is_not_there(
        self, stop: str, removable: Archived, tmp_path: Path
    ) -> None:
        """Not a part of it is seen, and the next process brings it back."""
        rows = digests(removable)
        detach(removable)
        drop_parts()
        schema = relations()
        step, statement = _STOPS[stop]

        killed = subprocess.run(
            [
                *(sys.executable, "-c", _KILLED.format(step=step, stop=statement)),
                *(str(tmp_path / "archive"), str(tmp_path / "export.key")),
            ],
            cwd=CLONE,
            check=False,
        )

        assert killed.returncode == -9
        assert relations() == schema
        assert not AuditRecord.objects.filter(action="MONTH_RESTORED").exists()
        restore(removable)
        assert digests(removable) == rows


class TestTheCommands:
    def test_detach_and_restore(
        self, removable: Archived, settings: object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With the account of the host, each step, and what may be dropped."""
        monkeypatch.setattr(settings, "INTEGRITY_STOPS", ["release", "schema"])
        monkeypatch.setattr("django.utils.timezone.now", lambda: YEARS_LATER)
        monkeypatch.setenv("LOGNAME", "postgres")
        detached, restored, steps = StringIO(), StringIO(), StringIO()

        call_command("detach_month", "2026-11", stdout=detached, stderr=StringIO())
        drop_parts()
        call_command("restore_month", "2026-11", stdout=restored, stderr=steps)

        assert detached.getvalue().startswith("2026-11: detached, as in 2026-11.1: ")
        assert detached.getvalue().strip().endswith(", ".join(parts()))
        assert restored.getvalue().startswith("2026-11: restored from 2026-11.1: ")
        assert "loading rounds_bet_2026_11: 232 rows" in steps.getvalue().splitlines()
        moves = AuditRecord.objects.filter(action__startswith="MONTH_").order_by("id")
        assert list(moves.values_list("action", "actor")) == [
            ("MONTH_DETACHED", "detach_month (postgres)"),
            ("MONTH_RESTORED", "restore_month (postgres)"),
        ]


def _rounds() -> list[str]:
    return list(Round.objects.order_by("id").values_list("reference", flat=True))


def _bundle(archived: Archived, folder: Path) -> dict[str, bytes]:
    """The bundle of a day of the month."""
    built = build_bundle(
        of=one_day(DAY, ""),
        folder=folder,
        key=archived.key,
        database="default",
        at=YEARS_LATER,
        actor=CLERK,
    )
    return contents(built.path)


def _judge_again(archived: Archived) -> None:
    run = begin_rejudging(
        MONTH,
        MONTH,
        folder=archived.folder.parent,
        keys=archived.keys,
        at=YEARS_LATER,
        actor=OWNER,
    )
    while work_on_part(
        run, folder=archived.folder.parent, keys=archived.keys, now=lambda: YEARS_LATER
    ):
        pass
    assert finish_rejudging(run.pk, now=lambda: YEARS_LATER)
    assert list(findings_of(run)) == []
