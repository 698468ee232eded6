"""Heads as checkpoints: signed notes that other people's programs verify."""

import base64
import json
from typing import Final

import pytest
from pytest_django import Settings

from compliance.trail.log.checkpoints import checkpoint_of, verifier_key
from compliance.trail.log.log_losses import CannotAppend
from compliance.trail.log.proofs import prove_record
from compliance.trail.log.signed_heads import Head, is_signed, raw_key
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.log.tiles import last_checkpoint
from compliance.trail.models import AuditRecord
from tests.compliance.trail.logs import KEY, append, append_signed, faults, tamper, write

ORIGIN: Final = "casino.example/log"
PUBLIC: Final = raw_key(KEY.public_key())
_SPEC_KEY: Final = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
"""The example of https://c2sp.org/signed-note."""


@pytest.fixture(autouse=True)
def _log(db: None, settings: Settings) -> None:
    """An empty log with an origin."""
    settings.LOG_ORIGIN = ORIGIN
    tamper("DELETE FROM trail_pendingrow")


def kinds() -> set[str]:
    """The kinds of faults, but for the digests of rows that are not recorded here."""
    return {str(fault.kind) for fault in faults()} - {"row"}


class TestAVerifierKey:
    def test_is_that_of_the_specification(self) -> None:
        """The short id is computed, so it is compared with the one written there."""
        name, _id, typed = _SPEC_KEY.split("+")

        assert verifier_key(name, base64.b64decode(typed)[1:]) == _SPEC_KEY


class TestACheckpoint:
    def test_says_origin_size_and_root_and_is_signed(self) -> None:
        """The signature is of the text, by the key whose short id it begins with."""
        write(3)
        signed = append_signed()

        text, _, line = last_checkpoint().partition("\n\n")
        origin, size, root, *more = text.split("\n")
        dash, name, signature = line.rstrip("\n").split(" ")
        octets = base64.b64decode(signature)

        assert (origin, size, base64.b64decode(root)) == (ORIGIN, "3", signed.head.root)
        assert [it.split(" ")[0] for it in more] == ["head", "time", "chain"]
        assert (dash, name) == ("\N{EM DASH}", ORIGIN)
        assert octets[:4].hex() == verifier_key(ORIGIN, PUBLIC).split("+")[1]
        assert octets[4:] == signed.signature
        assert is_signed(PUBLIC, octets[4:], f"{text}\n".encode())

    def test_is_of_a_log_that_keeps_its_origin(self, settings: Settings) -> None:
        """Witnesses know it by that name."""
        write(1)
        append()
        write(1)
        for origin in ("other.example/log", ""):
            settings.LOG_ORIGIN = origin
            with pytest.raises(CannotAppend, match=f"needed {ORIGIN}"):
                append()

    def test_is_made_once_the_log_has_an_origin(self, settings: Settings) -> None:
        """Heads from before are signed as they were, and proofs under them say the same."""
        settings.LOG_ORIGIN = ""
        write(1)
        earlier = append_signed()
        with pytest.raises(NotInLog, match="without an origin"):
            last_checkpoint()
        proof = prove_record(AuditRecord.objects.get().id)
        settings.LOG_ORIGIN = ORIGIN
        write(1)
        append(witnessed=earlier)

        assert last_checkpoint().startswith(f"{ORIGIN}\n2\n")
        assert not {"tlog_proof", "origin"} & {*proof, *proof["head"]}
        assert kinds() == set()

    def test_of_an_empty_log_is_none(self) -> None:
        """The first head has a record."""
        with pytest.raises(NotInLog, match="no head"):
            last_checkpoint()

    @pytest.mark.parametrize("origin", ["other.example/log", ""])
    def test_with_a_changed_origin_is_named(self, origin: str) -> None:
        """By whoever verifies the heads."""
        write(1)
        append()
        tamper("UPDATE trail_treehead SET origin = %s", origin)

        assert kinds() == {"signature"}

    def test_is_kept_with_its_origin(self) -> None:
        """Outside of the database, to be compared and continued."""
        write(1)
        head = append()

        assert Head.from_json(json.dumps(head.as_json(b"s"))) == (head, b"s")
        assert checkpoint_of(head, b"s" * 64, public_key=PUBLIC).startswith(f"{ORIGIN}\n1\n")
