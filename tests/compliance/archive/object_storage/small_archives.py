"""A small archive without a database, whose files are no tables: for what does not look into them.

It has everything that upload, fetch and the bucket's verification compare: names, sizes, digests, a
signed list and the record of it.
"""

import hashlib
import random
from pathlib import Path
from typing import Final

from compliance.archive.archive_list import (
    FORMAT,
    LIST_NAME,
    SIGNATURE_NAME,
    ArchivedFile,
    ArchiveList,
    TableEntry,
)
from compliance.archive.recorded_archives import RecordedArchive
from compliance.exports.bundle.signing import SigningKey
from tests.compliance.archive.archived_months import LATER, MONTH, Archived

LARGE: Final = 200_000
"""Bytes of the largest file, the last one, which a broken line leaves cut."""
_TABLES: Final = {"rounds_bet": 1000, "rounds_round": 2000, "trail_auditrecord": LARGE}


def small_archive(archives: Path, key: SigningKey, number: int = 1) -> Archived:
    """An archive of three files, below the folder of archives."""
    dice = random.Random(number)
    folder = archives / f"{MONTH}.{number}"
    folder.mkdir(parents=True)
    tables = []
    for table, size in _TABLES.items():
        path = folder / f"{table}-00001.parquet"
        content = dice.randbytes(size)
        path.write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        file = ArchivedFile(path.name, len(content), digest, 1, 1, "a", "b")
        tables.append(TableEntry(table, ["id"], [], 1, "", [file]))
    archive = ArchiveList(
        format=FORMAT,
        operator="Casino di prova",
        month=str(MONTH),
        number=number,
        written_at=LATER.isoformat(),
        software={},
        key_id=key.key_id,
        log_head=None,
        log_hashes=None,
        carried_sha256="",
        tables=tables,
    )
    content = archive.to_bytes()
    signature = key.sign(content)
    (folder / LIST_NAME).write_bytes(content)
    (folder / SIGNATURE_NAME).write_bytes(signature)
    recorded = RecordedArchive(
        archive.month,
        number,
        hashlib.sha256(content).hexdigest(),
        hashlib.sha256(signature).hexdigest(),
        LATER,
        len(tables),
        sum([file.bytes for file in archive.files]),
        key.key_id,
    )
    return Archived(folder, archive, recorded, key)
