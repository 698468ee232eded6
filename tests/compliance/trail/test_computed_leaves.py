"""Several processes verify the records of one snapshot, and find what one finds."""

from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from compliance.trail.batches import record_id
from compliance.trail.log import computed_leaves
from compliance.trail.log.computed_leaves import compute_leaves
from compliance.trail.log.merkle_tree import HASH_BYTES
from compliance.trail.log.verify_log import verify_trail
from tests.compliance.trail.logs import tamper, three_heads, write


@pytest.mark.usefixtures("fresh_casino")
class TestSeveralProcesses:
    @pytest.fixture(autouse=True)
    def _short_ranges(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(computed_leaves, "_RECORDS", 200)

    @pytest.mark.slow
    def test_compute_the_leaves_that_one_computes(self, tmp_path: Path) -> None:
        """At the same places of the file; batches that wait have none."""
        with transaction.atomic():
            in_log = three_heads().head.size
            write(40)

        read, leaves = self._computed(tmp_path, processes=3)

        assert (read, leaves) == self._computed(tmp_path, processes=1)
        assert (read, len(leaves)) == (in_log + 40, in_log * HASH_BYTES)

    @pytest.mark.slow
    def test_report_the_faults_in_their_order(self) -> None:
        """Two changed records in different ranges, and one that is missing."""
        with transaction.atomic():
            first, last = write(300), write(300)
            for batch, position in ((last, 7), (first, 250)):
                statement = "UPDATE trail_auditrecord SET subject = 'x' WHERE id = %s"
                tamper(statement, record_id(batch, position))
            tamper("DELETE FROM trail_auditrecord WHERE id = %s", record_id(first, 3))

        found = {processes: self._faults(processes) for processes in (1, 2)}

        assert [fault.positions for fault in found[2]] == [(3, 3), (250, 250), (7, 7)]
        assert found[1] == found[2]

    def _computed(self, folder: Path, *, processes: int) -> tuple[int, bytes]:
        file = folder / f"{processes}"
        file.touch()
        faults: list[object] = []
        with transaction.atomic():
            read = compute_leaves(file, report=faults.append, processes=processes)
        assert faults == []
        return read, file.read_bytes()

    def _faults(self, processes: int) -> list[Any]:
        faults: list[Any] = []
        with transaction.atomic():
            verify_trail(report=faults.append, processes=processes)
        return faults
