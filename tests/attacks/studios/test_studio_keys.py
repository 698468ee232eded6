"""Attacks with studio keys, and on tables that require signatures."""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from compliance.trail.steps import StaleState
from rounds.models import SignatureRequirement, SignedBatch, StudioKeyStep, Table
from rounds.services.require_signatures import allow_unsigned_rounds, propose_unsigned_rounds
from rounds.services.studio_keys import (
    SecondPersonRequired,
    approve_studio_key,
    revoke_studio_key,
)
from tests.attacks.studios.signed_feeds import A, B, faults, held, without_triggers
from tests.casino_in_play import NOW, ingest, open_table
from tests.studio_signatures import (
    APPROVER,
    LONG_AGO,
    PROPOSER,
    YEARS_AHEAD,
    Signer,
    ingest_signed,
)

pytestmark = pytest.mark.django_db


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
        """A forgery with triggers disabled is found."""
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
        """Expired, and not yet valid, for any time that the signature claims."""
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
