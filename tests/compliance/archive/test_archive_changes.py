"""Every change of an archive is refused, whoever made it."""

import random
import shutil
from pathlib import Path
from typing import Final

import pytest

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME
from compliance.archive.recorded_archives import require_archive
from compliance.archive.verify_archive import BadArchive, verify_archive
from tests.compliance.archive.archive_changes import (
    CHANGES,
    changed,
    edited_list,
    put_back,
    recorded_as,
    sign_as,
)
from tests.compliance.archive.archived_months import MONTH, Archived, write
from tests.compliance.exports.exported_days import key_in
from tests.repetitions import repeated

_CHANGES: Final = 10_000
_QUICK: Final = 60


def refused(archived: Archived, root: Path, times: int) -> None:
    """Changes the archive so often, and expects each change to be refused and no other."""
    stranger = key_in(root, "stranger")
    operator = key_in(root, "second")
    second = root / "second"
    shutil.copytree(archived.folder, second)
    (second / SIGNATURE_NAME).write_bytes(operator.sign((second / LIST_NAME).read_bytes()))
    (second / LIST_NAME).write_bytes(edited_list(random.Random(1), archived.folder))
    changes = [*CHANGES, sign_as(stranger), put_back(second)]
    original = root / "original"
    shutil.copytree(archived.folder, original)
    dice = random.Random("archive")
    for number in range(times):
        change = changes[number % len(changes)]
        with changed(archived.folder, original, change, dice), pytest.raises(BadArchive):
            verify_archive(archived.folder, archived.recorded, archived.keys)
    verify_archive(archived.folder, archived.recorded, archived.keys)


class TestAChange:
    def test_of_each_kind_is_refused(self, archived: Archived, tmp_path: Path) -> None:
        """A few of each; unchanged, the archive is accepted."""
        refused(archived, tmp_path, _QUICK)

    @pytest.mark.slow
    @pytest.mark.timeout(2400)
    def test_is_refused_ten_thousand_times(self, archived: Archived, tmp_path: Path) -> None:
        """Issue 26: each of 10,000 single changes of the archive."""
        refused(archived, tmp_path, repeated(_CHANGES))

    def test_of_list_and_record_needs_the_operators_key(
        self, archived: Archived, tmp_path: Path
    ) -> None:
        """Who can also write audit records, as a web host can, is stopped by the signature."""
        content = edited_list(random.Random(2), archived.folder)
        signature = key_in(tmp_path, "stranger").sign(content)
        forged = recorded_as(archived, content, signature).recorded

        with pytest.raises(BadArchive) as refusal:
            verify_archive(archived.folder, forged, archived.keys)

        assert "needed" in str(refusal.value) or "not signed by the key" in str(refusal.value)

    def test_to_an_earlier_archive_of_the_month_is_refused(self, archived: Archived) -> None:
        """Its signature is valid, but the record of the later one names other digests."""
        write(archived.folder.parent, archived.key)
        recorded = require_archive(MONTH)
        later = recorded.folder(archived.folder.parent)
        shutil.rmtree(later)
        shutil.copytree(archived.folder, later)

        with pytest.raises(BadArchive, match="as it was recorded"):
            verify_archive(later, recorded, archived.keys)

        assert recorded.number == 2
        verify_archive(archived.folder, archived.recorded, archived.keys)
