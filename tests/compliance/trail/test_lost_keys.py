"""The files of the log's key after a restore: heads of earlier releases, and rotated keys."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from compliance.signatures.log_keys import approve_log_key
from compliance.trail.log.key_file import (
    InvalidKeyFile,
    make_key,
    read_key,
    remember_head,
    witnessed_head,
)
from compliance.trail.log.log_losses import LogBehind, found_loss
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.log.signed_heads import key_id_of, raw_key
from tests.compliance.trail.logs import CLERK, NOW, append_signed, faults, write
from tests.compliance.trail.lost_logs import declare, signing_persons
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = pytest.mark.django_db


class TestTheFileOfTheHead:
    def test_of_an_earlier_release_is_read(self, tmp_path: Path) -> None:
        """It has no peaks; the next append adds them."""
        key = tmp_path / "log.pem"
        make_key(key)
        write(5)
        first = append_signed(key=read_key(key))
        earlier = first.head.as_json(first.signature)
        (tmp_path / "log.pem.head.json").write_text(json.dumps(earlier))

        read = witnessed_head(key)
        write(1)
        remember_head(key, append_signed(key=read_key(key), witnessed=read))

        assert read == first._replace(peaks=())
        stored = witnessed_head(key)
        assert stored is not None
        assert stored.has_peaks

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"peaks": 1}'])
    def test_that_is_damaged_is_refused(self, tmp_path: Path, text: str) -> None:
        """Then nothing is signed."""
        (tmp_path / "log.pem.head.json").write_text(text)

        with pytest.raises(InvalidKeyFile):
            witnessed_head(tmp_path / "log.pem")


class TestARotatedKey:
    @pytest.fixture
    def keys(self, tmp_path: Path) -> tuple[Path, Path]:
        """The key in force, and one that two persons signed."""
        old, new = tmp_path / "old.pem", tmp_path / "new.pem"
        make_key(old)
        key = make_key(new)
        signing_persons()
        for actor in (GIULIA, LORENZO):
            public = key_id_of(raw_key(key.public_key()))
            approve_log_key(key_id=public, reason="yearly", at=NOW, actor=actor)
        write(5)
        remember_head(old, append_signed(key=read_key(old)))
        return old, new

    def test_is_rotated_again_after_the_rotation_was_lost(self, keys: tuple[Path, Path]) -> None:
        """It keeps its own last head, from which the log is continued."""
        old, new = keys
        before = transaction.savepoint()
        rotate_key(read_key(old), read_key(new), at=NOW, actor=CLERK)
        write(7)
        remember_head(new, append_signed(key=read_key(new)))
        transaction.savepoint_rollback(before)
        last = witnessed_head(new)
        assert last is not None

        call_command("rotate_log_key", old=old, new=new)

        assert witnessed_head(new) == last
        with pytest.raises(LogBehind):
            append_signed(key=read_key(new), witnessed=last)
        loss = found_loss()
        assert loss is not None
        declare(loss)
        append_signed(key=read_key(new), witnessed=last)
        assert found_loss() is None
        assert {str(fault.kind) for fault in faults()} <= {"row"}

    def test_is_refused_while_the_old_one_has_lost_records(self, keys: tuple[Path, Path]) -> None:
        """Its last head is verified with it."""
        old, new = keys
        before = transaction.savepoint()
        write(7)
        remember_head(old, append_signed(key=read_key(old)))
        transaction.savepoint_rollback(before)

        with pytest.raises(CommandError, match="two persons can declare the loss"):
            call_command("rotate_log_key", old=old, new=new)
