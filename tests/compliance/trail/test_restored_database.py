"""A backup of PostgreSQL is restored, minutes after rounds were settled, signed and exported."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from casino.embedded import start_postgres
from casino.integrations.events.stream import events_after
from casino.operations.checks.check_result import State
from compliance.exports.bundle.signing import read_signing_key
from compliance.exports.models import Bundle
from compliance.signatures.log_gaps import confirm_log_gap, propose_log_gap
from compliance.trail.log.key_file import make_key, read_key, witnessed_head
from compliance.trail.log.log_losses import LogBehind, found_loss
from compliance.trail.log.signed_heads import WitnessedHead, key_id_of, raw_key
from compliance.trail.models import AuditRecord, LogGap
from compliance.trail.tasks import append_to_log_task
from payouts.reconciliation.models import ReconcileDifference
from payouts.settlement.models import Settlement
from rounds.models import Round
from tests.books import assert_books_are_right
from tests.casino.api.api_client import issued
from tests.casino.operations.check_results import found
from tests.casino_in_play import open_table
from tests.compliance.exports.exported_days import exported, key_in
from tests.compliance.trail.lost_logs import REASON, give_role, signing_persons
from tests.databases import connected_to
from tests.documents import lines
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NOON,
    arrive,
    close,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.replica import back_up, copy_database

pytestmark = pytest.mark.slow

EARLY = [dealt(f"r-{number}", NOON + timedelta(minutes=number)) for number in (1, 2)]
LATE = [dealt(f"r-{number}", NOON + timedelta(minutes=number)) for number in (3, 4, 5)]


class Restored(NamedTuple):
    """A casino that is back at an earlier minute, and what is left of the lost ones."""

    folder: Path
    """With the key of the log, its last head, and the exports."""
    kept: list[WitnessedHead]
    """One head of before the backup, one of the lost minutes, and the last one."""
    bundle: str
    """The name of the lost bundle's file."""

    @property
    def cursor(self) -> int:
        """How many records of the log a program has read."""
        return self.kept[-1].head.size

    @property
    def key(self) -> Path:
        """The file of the log's key."""
        return self.folder / "log.pem"


def play(key: Path, *documents: dict[str, Any]) -> WitnessedHead:
    """Rounds arrive, are settled and signed."""
    arrive(*documents)
    settle_at()
    append_to_log_task()
    head = witnessed_head(key)
    assert head is not None
    return head


@pytest.fixture(scope="module")
def backed_up(casino_template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Restored]:
    """Two rounds were backed up; then three more, the closing of the day and its bundle."""
    with tempfile.TemporaryDirectory(prefix="sabot-test-") as path:
        folder = Path(path)
        folder.chmod(0o755)
        key, primary = folder / "log.pem", start_postgres(folder / "primary", durable=False)
        make_key(key)
        copy_database(casino_template, primary, folder / "casino.sql", with_roles=True)
        with (
            django_db_blocker.unblock(),
            connected_to(primary.url),
            override_settings(LOG_KEY_FILE=str(key)),
        ):
            open_table()
            signing_persons()
            roles = {GIULIA: ["compliance"], LORENZO: ["administrator", "compliance"]}
            for actor, names in roles.items():
                give_role(actor, *names, at=NOON)
                account = User.objects.create(pk=actor.user_id, username=actor.name)
                account.groups.set(Group.objects.filter(name__in=names))
            kept = [play(key, *EARLY)]
            back_up(primary, folder / "backup")
            kept.append(play(key, *LATE))
            close()
            append_to_log_task()
            bundle = exported(folder / "exports", key_in(folder), day=DAY).path
            kept.append(play(key))
        primary.stop()
        yield Restored(folder, kept, bundle.name)


@pytest.fixture
def restored(
    backed_up: Restored, folder: Path, settings: Settings, django_db_blocker: DjangoDbBlocker
) -> Iterator[Restored]:
    """PostgreSQL runs with a copy of the backup."""
    for name in ("log.pem", "log.pem.head.json", "export.key", "export.crt"):
        shutil.copy(backed_up.folder / name, folder)
    shutil.copytree(backed_up.folder / "exports", folder / "exports")
    copied = ("cp", "-a", str(backed_up.folder / "backup"), str(folder / "backup"))
    subprocess.run(copied, check=True)  # with their owner
    settings.LOG_KEY_FILE = str(folder / "log.pem")
    backup = start_postgres(folder / "backup", durable=False)
    with django_db_blocker.unblock(), connected_to(backup.url):
        yield backed_up._replace(folder=folder)
    backup.stop()


def declare() -> None:
    """Two persons declare what is lost."""
    loss, now = found_loss(), timezone.now()
    assert loss is not None
    propose_log_gap(subject=loss.subject, reason=REASON, at=now, actor=GIULIA)
    proposal = AuditRecord.objects.get(action="LOG_GAP_PROPOSED")
    confirm_log_gap(proposal=proposal.pk, at=now, actor=LORENZO)


def settlements() -> dict[str, int]:
    """The number of settlements of each round."""
    rounds = Round.objects.values_list("reference", "id")
    return {name: Settlement.objects.filter(round_id=key).count() for name, key in rounds}


def test_is_brought_up_to_date_by_its_feeds(
    restored: Restored, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every round is there once and paid once, the books are right, and the gap is on record."""
    assert Round.objects.count() == len(EARLY)
    for _try in range(2):
        with pytest.raises(LogBehind):
            append_to_log_task()
    assert found("end of the log")[0] is State.ERROR

    arrive(*EARLY, *LATE)  # before the declaration: settlement does not wait for it
    settle_at()
    declare()
    append_to_log_task()

    names = [document["round"] for document in (*EARLY, *LATE)]
    assert settlements() == dict.fromkeys(names, 1)
    assert_books_are_right(lines(*EARLY, *LATE))
    reconcile_at(AFTER)
    assert not ReconcileDifference.objects.exists()
    assert LogGap.objects.count() == 1
    assert found("end of the log")[0] is State.OK
    head = restored.folder / "kept.json"
    public = key_id_of(raw_key(read_key(restored.key).public_key()))
    for kept in restored.kept:
        head.write_text(json.dumps(kept.as_json()))
        call_command("verify_trail", head=head, key_id=public)
    printed = capsys.readouterr().out
    assert printed.count("no faults") == len(restored.kept)
    assert printed.count("declared by Giulia Marchetti and Lorenzo Ferri") == len(restored.kept)
    assert printed.count("cannot be compared") == 1


def test_keeps_the_file_of_a_bundle_that_it_has_lost(restored: Restored) -> None:
    """It may have been sent: the day's new bundle has its number and name."""
    exports = restored.folder / "exports"
    file = exports / restored.bundle
    lost = file.read_bytes()
    continue_with_late_rounds()
    close()
    append_to_log_task()

    bundle = exported(exports, read_signing_key(restored.folder / "export.key"), day=DAY)

    assert (bundle.is_new, bundle.path) == (True, file)
    assert file.read_bytes() != lost
    assert file.with_stem(f"{file.stem}-lost-1").read_bytes() == lost
    assert Bundle.objects.count() == 1


def test_shows_programs_each_event_after_their_cursor(restored: Restored) -> None:
    """Those of the rounds that were delivered again are new ones; none is left out."""
    key = issued().key
    behind = events_after(restored.cursor, key=key, limit=100)
    continue_with_late_rounds()

    page = events_after(restored.cursor, key=key, limit=100)

    assert behind.events == []
    assert [event.type for event in page.events] == ["round.settled"] * len(LATE)
    assert page.events[0].leaf > restored.cursor


def continue_with_late_rounds() -> None:
    """The loss is declared, and the rounds are delivered again."""
    with pytest.raises(LogBehind):
        append_to_log_task()
    arrive(*LATE)
    settle_at()
    declare()
    append_to_log_task()
