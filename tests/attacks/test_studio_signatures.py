"""Attacks on signed rounds: each is held, refused, or named by the verifier."""

import base64
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from compliance.trail.steps import StaleState
from rounds.models import Round, SignatureRequirement, SignedBatch, StudioKeyStep, Table
from rounds.services.require_signatures import allow_unsigned_rounds, propose_unsigned_rounds
from rounds.services.studio_keys import (
    SecondPersonRequired,
    approve_studio_key,
    revoke_studio_key,
)
from rounds.signatures.verify_signatures import verify_signatures
from tests.casino_in_play import NOW, ingest, open_table
from tests.documents import baccarat_round, lines
from tests.studio_signatures import (
    APPROVER,
    LONG_AGO,
    PROPOSER,
    YEARS_AHEAD,
    Signer,
    ingest_signed,
    require_signatures_at,
)

pytestmark = pytest.mark.django_db

HELD = ["unsigned-source"]

_REVOKED_BEFORE = """
    INSERT INTO rounds_studiokeystep
           (key_id, sequence, action, note, last_batch, at, actor, actor_user_id)
    SELECT id, 2, 'revoked', 'x', 0, now(), 'x', 1 FROM rounds_studiokey
"""


def batch(*references: str, **fields: Any) -> bytes:
    """Lines of a feed."""
    return b"".join(
        line + b"\n" for line in lines(*(baccarat_round(name, **fields) for name in references))
    )


def held() -> list[str]:
    """The references of rounds that are held as unsigned."""
    rows = Round.objects.filter(arrival_anomalies=HELD).order_by("reference")
    return list(rows.values_list("reference", flat=True))


def faults() -> list[str]:
    """What the verifier names."""
    reported: list[str] = []
    verify_signatures(reported.append)
    return reported


def without_triggers(statement: str, parameters: Sequence[Any] = ()) -> None:
    """Runs SQL as somebody who has disabled the triggers."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, parameters)
        cursor.execute("SET LOCAL session_replication_role = origin")


@pytest.fixture
def table() -> Table:
    """A table that requires signatures."""
    opened = open_table()
    require_signatures_at()
    return opened


A, B, C = batch("r-a1", "r-a2"), batch("r-b1", "r-b2"), batch("r-c1", "r-c2")


@pytest.mark.usefixtures("table")
class TestAFile:
    def test_that_is_signed_throughout_is_taken(self) -> None:
        """The control: nothing is held and nothing is named."""
        Signer().registered()

        ingest_signed(A + B + C, Signer().signature_lines(A, B, C))

        assert (held(), faults(), SignedBatch.objects.count()) == ([], [], 3)

    def test_with_a_changed_line_is_signed_up_to_its_batch(self) -> None:
        """A stake is raised in the second batch."""
        Signer().registered()
        changed = B.replace(b'"stake": "10.00"', b'"stake": "90.00"', 1)

        ingest_signed(A + changed + C, Signer().signature_lines(A, B, C))

        assert held() == ["r-b1", "r-b2", "r-c1", "r-c2"]

    @pytest.mark.parametrize(("order", "unsigned"), [([1, 0, 2], 6), ([0, 2, 1], 4)])
    def test_with_swapped_batches_is_signed_up_to_them(
        self, order: list[int], unsigned: int
    ) -> None:
        """Lines and signatures are swapped alike; the numbers and the chain are signed."""
        Signer().registered()
        contents, signed = [A, B, C], Signer().signature_lines(A, B, C)

        ingest_signed(
            b"".join(contents[place] for place in order), [signed[place] for place in order]
        )

        assert len(held()) == unsigned

    def test_without_its_middle_batch_is_signed_up_to_there(self) -> None:
        """The next signature names the digest of the one that is missing."""
        Signer().registered()
        first, _, last = Signer().signature_lines(A, B, C)

        ingest_signed(A + C, [first, last])

        assert held() == ["r-c1", "r-c2"]

    def test_with_a_batch_of_another_chain_is_signed_up_to_it(self) -> None:
        """It has the right number, and another past."""
        Signer().registered()
        other = Signer().signature_lines(C, B)

        ingest_signed(A + B, [Signer().signature_lines(A)[0], other[1]])

        assert held() == ["r-b1", "r-b2"]

    def test_that_was_cut_is_signed_up_to_its_last_complete_batch(self) -> None:
        """In the middle of a batch; and behind the signatures."""
        Signer().registered()
        half = B[: B.index(b"\n") + 1]

        ingest_signed(A + half, Signer().signature_lines(A, B))
        ingest_signed(A + B + C, Signer().signature_lines(A))

        assert held() == ["r-b1", "r-b2", "r-c1", "r-c2"]

    def test_cannot_be_replayed_under_another_table(self) -> None:
        """The table is in the signed bytes; the key signs for its own tables alone."""
        open_table("bac-2")
        require_signatures_at("bac-2")
        Signer().registered("bac-1")
        signed = Signer().signature_lines(A)
        other = batch("r-x1", table="bac-2")

        ingest_signed(A.replace(b"bac-1", b"bac-2"), signed)
        ingest_signed(other, Signer().signature_lines(other))

        assert held() == ["r-a1", "r-a2", "r-x1"]

    def test_replayed_as_it_was_changes_nothing(self) -> None:
        """Ingestion is idempotent."""
        Signer().registered()

        for _ in range(2):
            ingest_signed(A, Signer().signature_lines(A))

        assert (Round.objects.count(), SignedBatch.objects.count()) == (2, 1)

    @pytest.mark.parametrize(
        ("change", "header"),
        [
            ({"lines": 1}, {}),
            ({"lines": True}, {}),
            ({"sha256": "0" * 64}, {}),
            ({"number": 2}, {}),
            ({"previous": "0" * 64}, {}),
            ({"created": "2999-01-01T00:00:00Z"}, {}),
            ({"created": None}, {}),
            ({"feed": "batch/2"}, {}),
            ({"extra": 1}, {}),
            ({}, {"alg": "none"}),
            ({}, {"crit": ["b64"], "b64": False}),
            ({}, {"kid": "unknown"}),
        ],
    )
    def test_with_signatures_of_something_else_is_unsigned(
        self, change: dict[str, Any], header: dict[str, Any]
    ) -> None:
        """Rightly signed by the key, and not the signature of these lines."""
        Signer().registered()
        [signed] = Signer().signature_lines(A)
        payload = {
            **json.loads(_decoded(signed.split(b".")[1])),
            **change,
        }

        ingest_signed(A, [Signer().web_signature(payload, **header)])

        assert held() == ["r-a1", "r-a2"]

    @pytest.mark.parametrize("text", [b"x", b"a.b.c", b"..", b"\xff.\xff.\xff", b"{}"])
    def test_with_signatures_that_are_none_is_unsigned(self, text: bytes) -> None:
        """It is taken all the same."""
        Signer().registered()

        ingest_signed(A, [text])

        assert held() == ["r-a1", "r-a2"]

    def test_signed_by_another_key_in_the_name_of_this_one_is_unsigned(self) -> None:
        """The signature is verified with the registered public key."""
        Signer(1).registered()
        thief = Signer(2)
        thief.key_id = Signer(1).key_id

        ingest_signed(A, thief.signature_lines(A))

        assert held() == ["r-a1", "r-a2"]


def _decoded(part: bytes) -> bytes:
    return base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))


@pytest.mark.usefixtures("table")
class TestAKey:
    def test_counts_once_another_person_approved_it(self) -> None:
        """Until then what it signs is unsigned."""
        key = Signer().proposed()
        ingest_signed(A, Signer().signature_lines(A))
        approve_studio_key(key_id=key.pk, at=LONG_AGO, actor=APPROVER)

        ingest_signed(B, Signer().signature_lines(B))

        assert held() == ["r-a1", "r-a2"]

    def test_is_not_approved_by_its_proposer(self) -> None:
        """Neither by the service nor by SQL."""
        key = Signer().proposed()
        with pytest.raises(SecondPersonRequired):
            approve_studio_key(key_id=key.pk, at=NOW, actor=PROPOSER)

        for name, user_id in ((PROPOSER.name.upper(), 99), ("Somebody", 41)):
            with (
                pytest.raises(IntegrityError, match="another has to approve"),
                transaction.atomic(),
            ):
                StudioKeyStep.objects.create(
                    key=key,
                    sequence=1,
                    action="approved",
                    at=NOW,
                    actor=name,
                    actor_user_id=user_id,
                )

    def test_approved_by_its_proposer_behind_the_triggers_is_named(self) -> None:
        """Whoever can disable a trigger is found."""
        key = Signer().proposed()
        without_triggers(
            "INSERT INTO rounds_studiokeystep (key_id, sequence, action, note, at, actor,"
            " actor_user_id) VALUES (%s, 1, 'approved', '', %s, %s, %s)",
            [key.pk, LONG_AGO, PROPOSER.name, PROPOSER.user_id],
        )

        assert faults() == [
            f"studio key {key.key_id}: {PROPOSER.name} proposed and approved it",
        ]

    @pytest.mark.parametrize(
        ("valid_from", "valid_until"),
        [(LONG_AGO, NOW), (NOW + timedelta(seconds=1), YEARS_AHEAD)],
    )
    def test_outside_its_validity_signs_nothing(
        self, valid_from: datetime, valid_until: datetime
    ) -> None:
        """Expired, and not yet valid, whatever time the signature claims."""
        Signer().registered(valid_from=valid_from, valid_until=valid_until)

        ingest_signed(A, Signer().signature_lines(A, created="2026-11-21T21:59:59Z"))

        assert held() == ["r-a1", "r-a2"]

    def test_that_is_revoked_signs_nothing_more(self) -> None:
        """What it signed before stays signed; it never counts again."""
        key = Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        revoke_studio_key(key_id=key.pk, note="stolen", at=NOW, actor=PROPOSER)

        ingest_signed(B, Signer().signature_lines(B))

        assert (held(), faults()) == (["r-b1", "r-b2"], [])
        with pytest.raises(StaleState):
            approve_studio_key(key_id=key.pk, at=NOW, actor=APPROVER)

    def test_that_is_revoked_is_refused_by_the_database(self) -> None:
        """A process that read the key before its revocation cannot store a batch after it."""
        key = Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        revoke_studio_key(key_id=key.pk, note="stolen", at=NOW, actor=PROPOSER)

        with pytest.raises(IntegrityError, match="not approved, not valid or revoked"):
            SignedBatch.objects.create(
                key=key,
                form="lines",
                signed_text=b"1",
                signature=b"2",
                content_digest=b"3",
                source="x",
                received_at=NOW,
            )

    def test_signs_for_its_tables_alone(self) -> None:
        """A key of another table."""
        open_table("bac-2")
        Signer().registered("bac-2")

        ingest_signed(A, Signer().signature_lines(A))

        assert held() == ["r-a1", "r-a2"]


class TestATable:
    def test_that_requires_signatures_holds_unsigned_rounds(self, table: Table) -> None:
        """From every source."""
        ingest(A.splitlines())

        assert (held(), faults()) == (["r-a1", "r-a2"], [])

    def test_allows_unsigned_rounds_again_by_two_persons(self, table: Table) -> None:
        """Until the second has approved, nothing changes."""
        propose_unsigned_rounds(table_id=table.pk, note="test", seen=1, at=NOW, actor=PROPOSER)
        ingest(A.splitlines())
        with pytest.raises(SecondPersonRequired):
            allow_unsigned_rounds(table_id=table.pk, note="x", seen=2, at=NOW, actor=PROPOSER)
        allow_unsigned_rounds(table_id=table.pk, note="agreed", seen=2, at=NOW, actor=APPROVER)

        ingest(B.splitlines())

        assert (held(), faults()) == (["r-a1", "r-a2"], [])

    @pytest.mark.parametrize("after_a_proposal", [False, True])
    def test_is_not_opened_by_one_person_in_sql(
        self, table: Table, *, after_a_proposal: bool
    ) -> None:
        """The database refuses it."""
        if after_a_proposal:
            propose_unsigned_rounds(table_id=table.pk, note="x", seen=1, at=NOW, actor=PROPOSER)

        with pytest.raises(IntegrityError, match="nobody else proposed"), transaction.atomic():
            SignatureRequirement.objects.create(
                table=table,
                sequence=2 + after_a_proposal,
                action="allowed",
                note="x",
                since_arrival=0,
                at=NOW,
                actor=PROPOSER.name,
                actor_user_id=41,
            )


@pytest.mark.usefixtures("table")
class TestRowsOfSql:
    """Somebody writes to the database, with triggers or without."""

    @pytest.fixture
    def signed(self) -> SignedBatch:
        """A batch of two rounds."""
        Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        return SignedBatch.objects.get()

    def test_an_invented_round_marked_as_signed_is_named(self, signed: SignedBatch) -> None:
        """The signed bytes do not contain it."""
        ingest(B.splitlines())

        without_triggers(
            "UPDATE rounds_round SET arrival_anomalies = '{}', signed_batch_id = %s"
            " WHERE reference = 'r-b1'",
            [signed.pk],
        )

        assert faults() == [
            f"round r-b1: signed batch {signed} does not contain it as it is stored"
        ]

    def test_an_unsigned_round_that_is_not_held_is_named(self, signed: SignedBatch) -> None:
        """It arrived while its table required signatures."""
        ingest(B.splitlines())

        without_triggers(
            "UPDATE rounds_round SET arrival_anomalies = '{}' WHERE reference = 'r-b1'"
        )

        assert faults() == [
            "round r-b1: table bac-1 requires signatures; it is neither signed nor held"
        ]

    def test_other_facts_of_a_signed_round_are_named(self, signed: SignedBatch) -> None:
        """With the digest that belongs to them."""
        without_triggers(
            "UPDATE rounds_round SET digest = %s WHERE reference = 'r-a1'", [bytes(32)]
        )

        assert faults() == [
            f"round r-a1: signed batch {signed} does not contain it as it is stored"
        ]

    def test_a_round_without_its_batch_is_named(self, signed: SignedBatch) -> None:
        """A reference to nothing."""
        without_triggers("UPDATE rounds_round SET signed_batch_id = 999 WHERE reference = 'r-a1'")

        assert faults() == ["round r-a1: there is no signed batch S-999"]

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE rounds_signedbatch SET signature = decode(repeat('00', 64), 'hex')",
            "UPDATE rounds_signedbatch SET signed_text = signed_text || 'x'::bytea",
            "UPDATE rounds_signedbatch SET content_digest = sha256('x')",
            "UPDATE rounds_signedbatch SET form = 'http'",
            "UPDATE rounds_signedbatch SET received_at = received_at - interval '1 year'",
            "UPDATE rounds_signedbatch SET received_at = received_at + interval '9 years'",
            "UPDATE rounds_signedchunk SET content = 'x'::bytea",
            "UPDATE rounds_signedchunk SET number = 1",
            "DELETE FROM rounds_signedchunk",
            "UPDATE rounds_studiokey SET public_key = sha256('x')",
            "UPDATE rounds_studiokey SET tables = '{bac-2}'",
            "UPDATE rounds_studiokey SET valid_from = '2027-01-01'",
            "DELETE FROM rounds_studiokeystep",
            _REVOKED_BEFORE,
        ],
    )
    def test_any_change_of_what_was_signed_is_named(self, signed: SignedBatch, change: str) -> None:
        """Signature, text, bytes, key, approval."""
        without_triggers(change)

        assert faults()

    def test_an_invented_key_needs_two_persons(self) -> None:
        """A key of one's own signs an invented round; its approval is missing."""
        key = Signer(3).proposed()
        [line] = Signer(3).signature_lines(A)
        head, payload, _ = line.split(b".")
        signature = Signer(3).private.sign(head + b"." + payload)
        with pytest.raises(IntegrityError, match="not approved"), transaction.atomic():
            SignedBatch.objects.create(
                key=key,
                form="lines",
                signed_text=head + b"." + payload,
                signature=signature,
                content_digest=b"",
                source="x",
                received_at=datetime.now(UTC),
            )
