"""The records of an archive give the signed head of the log, with the hashes of its list."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from compliance.archive.archive_list import LIST_NAME
from compliance.archive.log_hashes import NotInLogYet
from compliance.archive.recorded_archives import require_archive
from compliance.archive.verify_archive import BadArchive, verify_archive
from compliance.trail.log.merkle_tree import Peaks, complete_subtrees, root_of
from compliance.trail.models import AuditRecord, TreeHead
from compliance.trail.record import Entry, record_entries
from tests.compliance.archive.archive_changes import recorded_as
from tests.compliance.archive.archived_months import CLERK, MONTH, Archived, write
from tests.payouts.reconciliation.five_games import tamper

Members = dict[str, Any]
_ADDED: Final = """
    INSERT INTO trail_auditrecord (id, at, actor, action, subject, details, leaf)
    SELECT '01a1dc54-0000-7000-8000-000000000000', at, actor, action, subject, details, leaf
      FROM trail_auditrecord WHERE id = %(id)s
"""
IN_MONTH: Final = datetime(2026, 11, 22, tzinfo=UTC)


def signed_again(archived: Archived, change: Callable[[Members], None]) -> Archived:
    """The archive with another list, signed by the operator and recorded, as the exporter could."""
    members = json.loads((archived.folder / LIST_NAME).read_bytes())
    change(members)
    text = json.dumps(members, indent=1, sort_keys=True, ensure_ascii=False)
    content = f"{text}\n".encode()
    return recorded_as(archived, content, archived.key.sign(content))


def fault_of(archived: Archived) -> str:
    """Why the archive is refused."""
    with pytest.raises(BadArchive) as refusal:
        verify_archive(archived.folder, archived.recorded, archived.keys)
    return str(refusal.value)


class TestTheRecordsOfAnArchive:
    def test_give_the_head_of_the_log(self, archived: Archived) -> None:
        """With at most two hashes for each level of the log."""
        head, hashes = archived.archive.log_head, archived.archive.log_hashes

        assert head is not None
        assert hashes is not None
        assert head["size"] == TreeHead.objects.latest("sequence").size
        assert 0 < len(hashes) <= 2 * int(head["size"]).bit_length()
        verify_archive(archived.folder, archived.recorded, archived.keys)

    def test_are_none_in_a_month_before_the_log(self, archived: Archived) -> None:
        """The hashes alone give the head."""
        earlier = write(archived.folder.parent, archived.key, MONTH.plus(-1))
        recorded = require_archive(MONTH.plus(-1))

        assert earlier.table("trail_auditrecord").rows == 0
        verify_archive(archived.folder.parent / earlier.name, recorded, archived.keys)

    def test_are_all_in_the_log(self, archived: Archived) -> None:
        """Else the month is not archived."""
        record_entries([Entry("TABLE_CHANGED", "table:x", {})], at=IN_MONTH, actor=CLERK)

        with pytest.raises(NotInLogYet, match="found records that are not in the signed log yet"):
            write(archived.folder.parent, archived.key)


class TestARecordThatWasChangedBeforeItWasArchived:
    """By a superuser: the archive is signed and recorded as any other."""

    @pytest.mark.parametrize(
        ("change", "fault"),
        [
            ("UPDATE trail_auditrecord SET actor = 'x' WHERE id = %(id)s", "found root"),
            ("DELETE FROM trail_auditrecord WHERE id = %(id)s", "log_hashes: found leaves until"),
            (_ADDED, "whose batch is not in the log"),
        ],
    )
    def test_is_found(self, archived: Archived, change: str, fault: str) -> None:
        """Or removed, or added."""
        record = AuditRecord.objects.filter(action="ROUND_SETTLED").earliest("id")
        tamper(change, id=str(record.pk))
        written = write(archived.folder.parent, archived.key)
        folder = archived.folder.parent / written.name

        assert fault in fault_of(archived._replace(folder=folder, recorded=require_archive(MONTH)))


class TestAList:
    """Of somebody who has the operator's key and may write audit records."""

    def test_with_another_head_is_refused(self, archived: Archived) -> None:
        """Although records and hashes give it."""

        def change(members: Members) -> None:
            members["log_head"]["root"] = hashlib.sha256(b"another").hexdigest()

        assert "log_head: found one that is not head" in fault_of(signed_again(archived, change))

    def test_with_other_hashes_is_refused(self, archived: Archived) -> None:
        """Changed, missing, moved."""

        def changed(members: Members) -> None:
            members["log_hashes"][-1]["sha256"] = hashlib.sha256(b"another").hexdigest()

        def missing(members: Members) -> None:
            del members["log_hashes"][-1]

        def moved(members: Members) -> None:
            members["log_hashes"][0]["index"] += 1

        for change, fault in (
            (changed, "found root"),
            (missing, "found root"),
            (moved, "log_hashes: found leaves until"),
        ):
            content = (archived.folder / LIST_NAME).read_bytes()
            assert fault in fault_of(signed_again(archived, change))
            (archived.folder / LIST_NAME).write_bytes(content)


def test_an_archive_without_hashes_is_read(archived: Archived) -> None:
    """As it is written where hashes were lost with a database, and people declared it."""

    def lost(members: Members) -> None:
        members["log_hashes"] = None

    without = signed_again(archived, lost)

    verified = verify_archive(without.folder, without.recorded, without.keys)
    assert verified.log_hashes is None


@pytest.mark.parametrize(
    ("name", "value"), [("level", -1), ("level", 1 << 40), ("index", -1), ("sha256", "0x")]
)
def test_a_hash_that_is_none_is_named(archived: Archived, name: str, value: int | str) -> None:
    """Before anything is computed with it."""

    def change(members: Members) -> None:
        members["log_hashes"][1][name] = value

    assert "log_hashes[1]" in fault_of(signed_again(archived, change))


def test_complete_subtrees_make_up_the_tree() -> None:
    """Those over a span, between leaves, in trees of every size until forty."""
    leaves = [hashlib.sha256(bytes([number])).digest() for number in range(40)]

    for size in range(1, 41):
        for start in range(size):
            end = min(size, start + 7)
            peaks = Peaks()
            peaks.extend(b"".join(leaves[:start]))
            for level, index in complete_subtrees(start, end):
                peaks.push(root_of(leaves[index << level : (index + 1) << level]), level)
            peaks.extend(b"".join(leaves[end:size]))
            assert peaks.root() == root_of(leaves[:size])
