"""Rounds that no studio signed, stored by SQL where signatures are required: none is paid.

The web role stores rounds, because programs deliver them to web hosts.
"""

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import IntegrityError, transaction

from casino.operations.database_roles import DatabaseRole
from compliance.signatures.assertions import octets_of
from compliance.trail.log.append_to_log import append_to_log
from payouts.ledger.models import Transfer
from payouts.settlement.models import Settlement
from payouts.settlement.settle import Settled
from rounds.models import QueuedRound, Round, SignedBatch, StudioKey, StudioKeyStep, Validation
from rounds.signatures import hold_unsigned
from rounds.signatures.decided_by_persons import KNOWN
from rounds.signatures.hold_unsigned import forget_verified_batches
from rounds.signatures.signature import Signature
from rounds.signatures.store_signature import restored_signature, store_signature
from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES, table_codes
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Guard
from tests.attacks.studios.signed_feeds import A, B, batch, without_triggers
from tests.casino_in_play import NOW, Unchecked, ingest, open_table, settle
from tests.documents import baccarat_bet
from tests.studio_signatures import Signer, ingest_signed, require_signatures_at

_KEY: Final = Ed25519PrivateKey.generate()
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


@pytest.fixture(autouse=True)
def _nothing_verified_yet() -> Iterator[None]:
    forget_verified_batches()
    KNOWN.forget()
    yield
    forget_verified_batches()


def store(feed: bytes, signature: Signature | None = None) -> None:
    """Rows of rounds that are not held, as the web role can write them."""
    with as_web():
        ingest(feed.splitlines(), arrival=Unchecked(NOW, signature=signature))


def assert_held(*references: str) -> None:
    """Asserts that the worker holds exactly these rounds, and pays nothing for them."""
    settle()
    held = Validation.objects.filter(status="held", anomalies=["unsigned-source"])
    found = held.order_by("round__reference").values_list("round__reference", flat=True)
    assert list(found) == list(references)
    paid = Settlement.objects.filter(round__reference__in=references)
    assert not paid.exists()


def signed_and_withdrawn(feed: bytes) -> Signature:
    """What the studio really signed, kept by a host that did not store the rounds."""
    with transaction.atomic():
        ingest_signed(feed, Signer().signature_lines(feed))
        stored = SignedBatch.objects.get()
        content = feed
        signature = restored_signature(stored, at=NOW)
        assert signature is not None
        transaction.set_rollback(True)
    return signature._replace(content=lambda: [content])


def signature_by(key: StudioKey, feed: bytes) -> Signature:
    """What the holder of the key signs, whether or not it counts."""
    [line] = Signer().signature_lines(feed)
    text, _, made = line.decode().rpartition(".")
    digest = hashlib.sha256(feed).digest()
    signed = octets_of(made)
    return Signature(key, SignedBatch.Form.LINES, text.encode(), signed, digest, lambda: [feed])


class TestARoundThatNobodySigned:
    def test_is_held(self) -> None:
        """Its row says neither that it is signed nor that it must be held."""
        store(A)

        assert_held("r-a1", "r-a2")

    def test_that_refers_to_a_signed_batch_is_held(self) -> None:
        """Of other rounds."""
        Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        signature = restored_signature(SignedBatch.objects.get(), at=NOW)
        store(B, signature)

        assert_held("r-b1", "r-b2")

    def test_that_refers_to_no_batch_is_held(self) -> None:
        """A number that no batch has."""
        Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        without_triggers("UPDATE rounds_round SET signed_batch_id = 999 WHERE reference = 'r-a1'")

        assert_held("r-a1")

    @pytest.mark.parametrize(
        "change",
        [
            {"cards": [["P", "4S"], ["B", "7H"], ["P", "5D"], ["B", "2C"]]},
            {"bets": [baccarat_bet("b1", "player", "100000.00")]},
            {"bets": [baccarat_bet("b1", "player", "10.00", player="accomplice")]},
            {"session": "M000000000000002"},
        ],
    )
    def test_with_other_facts_than_were_signed_is_held(self, change: dict[str, Any]) -> None:
        """The host that received the delivery stores other cards, stakes or players."""
        Signer().registered()
        signature = signed_and_withdrawn(batch("r-1"))
        store(batch("r-1", **change), signature)

        assert_held("r-1")

    def test_that_claims_to_be_older_than_the_requirement_is_held(self) -> None:
        """The log received it after the requirement."""
        append_to_log(_KEY, now=NOW)
        store(batch("r-1"))
        append_to_log(_KEY, now=NOW + timedelta(minutes=1))
        without_triggers("UPDATE rounds_round SET arrival = 0")

        assert_held("r-1")


class TestABatch:
    def forged(self, signature: Signature) -> None:
        """Stores the rounds of A as if a batch with this signature contained them."""
        store(A, signature._replace(content=lambda: [A]))

    def test_with_an_invented_signature_proves_nothing(self) -> None:
        """Of a genuine key: the database cannot verify signatures."""
        Signer().registered()
        signature = signed_and_withdrawn(B)
        self.forged(signature._replace(signature=bytes(64)))

        assert_held("r-a1", "r-a2")

    def test_with_other_bytes_proves_nothing(self) -> None:
        """The signature is genuine, of the digest of other rounds."""
        Signer().registered()
        self.forged(signed_and_withdrawn(B))

        assert_held("r-a1", "r-a2")

    def test_of_a_key_that_one_person_approved_proves_nothing(self) -> None:
        """The approval is a row."""
        key = Signer().proposed()
        with as_web():
            StudioKeyStep.objects.create(
                key=key, sequence=1, action="approved", at=NOW, actor="Lorenzo", actor_user_id=42
            )
        store(A, signature_by(key, A))

        assert_held("r-a1", "r-a2")

    def test_of_another_table_proves_nothing(self) -> None:
        """The key of one studio, for a table of another."""
        open_table("bac-2")
        key = Signer().registered("bac-2")
        stored = store_signature(signature_by(key, A), source="feed.ndjson", at=NOW)
        store(A)
        without_triggers("UPDATE rounds_round SET signed_batch_id = %s", [stored.pk])

        assert_held("r-a1", "r-a2")


class TestWhoStoredARound:
    def test_is_not_what_the_web_role_says(self) -> None:
        """The database asks who is connected."""
        store(A)
        row = QueuedRound.objects.all()[0]
        with transaction.atomic():
            QueuedRound.objects.filter(pk=row.pk).delete()
            row.is_from_feed = True
            with as_web():
                row.save(force_insert=True)

        assert not QueuedRound.objects.filter(is_from_feed=True).exists()

    def test_does_not_change(self) -> None:
        """Nor does a waiting row pass to another round."""
        with as_role(DatabaseRole.FEED):
            ingest(A.splitlines())
        rows = QueuedRound.objects.order_by("arrival")
        with pytest.raises(IntegrityError, match="who stored it"), transaction.atomic(), as_web():
            rows.filter(pk=rows[0].pk).update(arrival=0)

        assert all(rows.values_list("is_from_feed", flat=True))


class TestASignedRound:
    def test_is_settled(self) -> None:
        """The control, and two persons allow unsigned rounds elsewhere."""
        Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))

        assert settle() == Settled(settled=2)
        assert Transfer.objects.exists()

    def test_of_an_earlier_time_is_settled_unsigned(self) -> None:
        """It was received before its table required signatures."""
        other = open_table("bac-2")
        ingest(batch("r-1", table="bac-2").splitlines())
        append_to_log(_KEY, now=NOW)
        require_signatures_at("bac-2")
        append_to_log(_KEY, now=NOW + timedelta(minutes=1))

        assert settle() == Settled(settled=1)
        assert Round.objects.get(table=other).signed_batch is None

    def test_of_any_game_is_proved(self) -> None:
        """Splits, bonuses, zaps, disconnects and all faults: no fact is read back otherwise."""
        for name, simulated in GAMES.items():
            [code] = table_codes(name, count=1)
            if code != "bac-1":
                open_table(code, simulated.game.rule_set.name)
                require_signatures_at(code)
        codes = [table_codes(name, count=1)[0] for name in GAMES]
        Signer().registered(*codes)
        start = int((NOW - timedelta(hours=3)).timestamp() * 1000)
        order = Order(list(GAMES), 150, "proof", start, faults=0.3)
        feed = b"".join(line.text.encode() + b"\n" for line in simulate(order))
        ingest_signed(feed, Signer().signature_lines(feed))

        settled = settle()

        assert settled.settled > 50
        assert not Validation.objects.filter(anomalies__contains=["unsigned-source"]).exists()


_Rounds, _Batches = TestARoundThatNobodySigned(), TestABatch()
GUARDS = {
    "table": Guard(
        hold_unsigned._signed_facts,
        "dealt.table in batch.tables",
        _Batches.test_of_another_table_proves_nothing,
        passing="True",
    ),
    "persons": Guard(
        hold_unsigned._verify,
        "not is_approved_by_two(batch.key, key.approval)",
        _Batches.test_of_a_key_that_one_person_approved_proves_nothing,
    ),
    "signature": Guard(
        hold_unsigned._verify,
        "any(signature_faults(batch, batch.key, content))",
        _Batches.test_with_an_invented_signature_proves_nothing,
    ),
    "facts": Guard(
        hold_unsigned._unproven,
        "dealt is None or _as_stored(dealt, names) != rounds[round_id].dealt",
        _Rounds.test_is_held,
    ),
    "time": Guard(
        hold_unsigned._needs_signature,
        "required is not None and _was_received_after(stored, required)",
        _Rounds.test_that_claims_to_be_older_than_the_requirement_is_held,
    ),
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_without_its_guard_is_paid(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Each condition is needed."""
    guard.is_needed(request)
