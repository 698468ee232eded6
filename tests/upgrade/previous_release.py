"""The release that hosts run before they are upgraded to this code.

Until there is a first release it is the commit from which Sabot could first be installed as a
package; ``docs/contributor/migrations.md`` says how the archive is made anew.
"""

import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from casino.embedded.server_paths import CLONE

ARCHIVE: Final = CLONE / "tests" / "golden" / "previous-release.tar.xz"
RELEASE: Final = (
    ("migrate",),
    ("grant_roles",),
    ("grant_database_roles", "--make"),  # a release may have a new one
    ("verify_schema",),
)
"""The commands of an upgrade, once for all hosts."""
_MIGRATION: Final = re.compile(r".+/migrations/\d{4}_\w+\.py")


def unpack(folder: Path) -> Path:
    """Unpacks the code, as a clone without tests; returns the folder of its ``manage.py``."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder


def released_migrations() -> Mapping[str, bytes]:
    """The migrations of the release by their path, with their text."""
    migrations = {}
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            if _MIGRATION.fullmatch(member.name):
                file = archive.extractfile(member)
                assert file is not None
                migrations[member.name] = file.read()
    return migrations
