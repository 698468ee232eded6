"""Commands that are killed at any point, and go on where they were; and the memory they take."""

import hashlib
import os
import pickle
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from casino.embedded.server_paths import CLONE
from compliance.archive.archive_list import LIST_NAME, ArchivedFile
from compliance.archive.object_storage.bucket import Bucket
from compliance.archive.object_storage.fetch_archive import UNFINISHED
from compliance.archive.object_storage.verify_bucket import verify_stored
from compliance.archive.verify_archive import verify_archive
from compliance.storage.database_roles.role import DatabaseRole
from tests.compliance.archive.archive_changes import recorded_as
from tests.compliance.archive.archived_months import Archived, archived_in
from tests.compliance.archive.object_storage.stores import Store
from tests.processes import manage, wait_until
from tests.repetitions import repeated

_KILLS: Final = 20
_LARGE: Final = 200 << 20
_MOST_GROWTH: Final = 16 << 20
_TRANSFERS: Final = """
import pickle, re, sys
import django; django.setup()
from pathlib import Path
from django.utils import timezone
from compliance.archive.object_storage.bucket import Bucket
from compliance.archive.object_storage.fetch_archive import fetch_archive
from compliance.archive.object_storage.upload_archive import upload_archive
from compliance.archive.object_storage.verify_bucket import verify_stored
recorded = pickle.loads(bytes.fromhex(sys.argv[1]))
folder, other = map(Path, sys.argv[2:])
def peak():  # getrusage would count what the parent had before exec
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) << 10
bucket = Bucket.of_settings()
bucket.rights()
before = peak()
upload_archive(bucket, recorded, folder=folder, now=timezone.now)
verify_stored(bucket, recorded, by_reading=True)
fetch_archive(bucket, recorded, folder=other)
print(peak() - before)
"""


@pytest.fixture
def sliced(month: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archived:
    """The month in many small files."""
    monkeypatch.setattr("compliance.archive.archived_tables._WEIGHT_OF_ROUNDS", 40)
    return archived_in(tmp_path)


def killed_when(condition: Callable[[], bool], *command: str) -> bool:
    """Starts the command and kills it then; whether it was still running."""
    process = manage(*command, role=DatabaseRole.EXPORTER)
    wait_until(lambda: condition() or process.poll() is not None, what="a place to be killed at")
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.timeout(1200)
class TestACommand:
    def test_that_uploads_goes_on_after_each_kill(self, sliced: Archived, store: Store) -> None:
        """The list is there at the end alone, and then everything is."""
        dice = random.Random("upload")
        files = len(list(sliced.folder.iterdir()))
        places = sorted(dice.sample(range(1, files), repeated(_KILLS)))
        killed = 0
        for place in places:

            def has_come_so_far(place: int = place) -> bool:
                return len(store.paths()) >= place

            killed += killed_when(has_come_so_far, "upload_archive", "2026-11")
            stored = store.paths()
            assert f"2026-11.1/{LIST_NAME}" not in stored or len(stored) == files
            for path, size in stored.items():
                assert (sliced.folder / path.partition("/")[2]).stat().st_size == size

        assert killed > 0
        assert manage("upload_archive", role=DatabaseRole.EXPORTER).wait() == 0
        verify_stored(Bucket.of_settings(), sliced.recorded, by_reading=True)
        assert len(store.all_versions()) == files

    def test_that_fetches_goes_on_after_each_kill(
        self, sliced: Archived, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """There is no archive until all of it is there."""
        store.upload(sliced)
        monkeypatch.setenv("SABOT_ARCHIVE", str(tmp_path / "other"))
        work, finished = (
            tmp_path / "other" / name for name in (f"{UNFINISHED}/2026-11.1", "2026-11.1")
        )
        dice = random.Random("fetch")
        files = len(list(sliced.folder.iterdir()))
        killed = 0
        for place in sorted(dice.sample(range(1, files), repeated(_KILLS))):

            def has_come_so_far(place: int = place) -> bool:
                return finished.exists() or len(list(work.glob("*"))) >= place

            killed += killed_when(has_come_so_far, "fetch_archive", "2026-11")
            if finished.exists():
                verify_archive(finished, sliced.recorded, sliced.keys)

        assert killed > 0
        assert manage("fetch_archive", role=DatabaseRole.WEB).wait() == 0
        verify_archive(finished, sliced.recorded, sliced.keys)
        assert not work.parent.exists()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_files(
    archived: Archived, store: Store, tmp_path: Path
) -> None:
    """A file of 200 MiB is uploaded, read and fetched in blocks of one."""
    large = archived_with(archived, _LARGE)

    figures = subprocess.run(
        [
            *(sys.executable, "-c", _TRANSFERS, pickle.dumps(large.recorded).hex()),
            *(str(archived.folder.parent), str(tmp_path / "other")),
        ],
        cwd=CLONE,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "casino.settings"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert store.paths()["2026-11.1/rounds_bet-00099.parquet"] == _LARGE
    assert int(figures.stdout) < _MOST_GROWTH


def archived_with(archived: Archived, size: int) -> Archived:
    """The archive with one more file of so many bytes, as if it were recorded."""
    path = archived.folder / "rounds_bet-00099.parquet"
    block = random.Random("large").randbytes(1 << 20)
    with path.open("wb") as file:
        for _ in range(size >> 20):
            file.write(block)
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    bets = archived.archive.table("rounds_bet")
    bets.files.append(ArchivedFile(path.name, size, sha256, 99, 1, "", ""))
    content = archived.archive.to_bytes()
    return recorded_as(archived, content, archived.key.sign(content))
