"""Decisions signed with a key that does not count: no worker pays them."""

from datetime import timedelta
from typing import Any

import pytest
from pytest_django import Settings

from compliance.signatures.manage_keys import approve_key, revoke_key
from compliance.signatures.models import (
    SigningKey,
    SigningKeyStep,
)
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from payouts.cases.models import (
    Case,
    CaseStep,
)
from tests.attacks.forgeries import (
    CENTS,
    PRESENT,
    approval_columns,
    as_web,
    begin_execution,
    credit_columns,
    faults,
    key_of,
    nothing_moves,
    signed,
    step,
)
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import KEY
from tests.payouts.cases.case_scenarios import credit_proposed, opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import ANOTHER, HOST, Person, registered

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]


def dated_back(key: Person, action: str, actor: Actor, *, sequence: int = 1) -> None:
    """The row of an approval nine days ago, without a signature."""
    at = NOW - timedelta(days=9)
    with as_web():
        SigningKeyStep.objects.create(
            key=key.row,
            sequence=sequence,
            action=action,
            note="seen",
            in_force_from=at,
            at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )


class TestAKey:
    def approved_with(self, key: SoftwareKey, **signature: Any) -> Case:
        """Giulia's proposal, approved in Lorenzo's name with a key."""
        case = credit_proposed("p-1", CENTS)
        with as_web():
            proposal = CaseStep.objects.get(case=case, sequence=2)
            approval = step(case, 3, LORENZO, **approval_columns(proposal))
            signed(approval, key, **signature)
            begin_execution(case)
        return case

    def test_that_nobody_approved_signs_nothing(self) -> None:
        """Registered in Lorenzo's name by the attacker."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0)

        case = self.approved_with(forger.key)

        assert "not in force then" in nothing_moves(case)

    def test_whose_approval_is_not_signed_signs_nothing(self) -> None:
        """Approved by rows in Giulia's name, dated back."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0)
        for sequence, approver in enumerate((GIULIA, ANOTHER), start=1):
            dated_back(forger, "approved", approver, sequence=sequence)

        case = self.approved_with(forger.key)

        assert "whose approval is not signed" in nothing_moves(case)
        assert any("no signed approval" in fault for fault in faults())

    def test_that_one_person_approved_signs_nothing(self) -> None:
        """Lorenzo signs for a key of somebody who does not exist, and then what it proposes."""
        ghost = registered("Ghost Person", 777, at=NOW - timedelta(days=3))
        seen = NOW - timedelta(days=2)
        approve_key(key_id=ghost.row.id, note="seen", at=seen, actor=LORENZO)
        append_to_log(KEY, now=seen)
        with as_web():
            case = opened("goodwill", actor=Actor("Anna Riva", 5))
            proposal = step(case, 2, Actor("Ghost Person", 777), **credit_columns())
            signed(proposal, ghost.key)
            signed(step(case, 3, LORENZO, **approval_columns(proposal)), key_of(LORENZO))
            begin_execution(case)

        assert "not in force then" in nothing_moves(case)

    def test_that_one_person_approved_signs_nothing_with_rows_of_another(self) -> None:
        """The second approval is a row in another person's name."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0, at=NOW - timedelta(days=3))
        seen = NOW - timedelta(days=2)
        approve_key(key_id=forger.row.id, note="seen", at=seen, actor=GIULIA)
        append_to_log(KEY, now=seen)
        dated_back(forger, "approved", ANOTHER, sequence=2)

        case = self.approved_with(forger.key)

        assert "whose approval is not signed" in nothing_moves(case)

    def test_that_was_made_a_first_key_by_sql_signs_nothing(self, settings: Settings) -> None:
        """The environment of the workers names the first keys."""
        first = SigningKey.objects.values_list("pk", flat=True)
        settings.SIGNING_KEY_ROOTS = list(first)
        self._signs_nothing_as_a_first_key()

    def test_signs_nothing_as_a_first_key_where_none_is_named(self, settings: Settings) -> None:
        """An installation that has not named its first keys has none."""
        settings.SIGNING_KEY_ROOTS = []
        self._signs_nothing_as_a_first_key()

    def _signs_nothing_as_a_first_key(self) -> None:
        forger = registered(LORENZO.name, LORENZO.user_id or 0)
        dated_back(forger, "rooted", HOST)

        case = self.approved_with(forger.key)

        assert "whose approval is not signed" in nothing_moves(case)

    def test_whose_delay_was_shortened_by_sql_signs_nothing(self) -> None:
        """A further approval, of rows, that begins earlier than the signed ones."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0, at=NOW)
        for approver in (GIULIA, ANOTHER):
            approve_key(key_id=forger.row.id, note="seen", at=NOW, actor=approver)
        dated_back(forger, "approved", Actor("Carla Neri", 77), sequence=3)

        case = self.approved_with(forger.key)

        assert "not in force then" in nothing_moves(case)
        assert any("approved by Carla Neri" in fault for fault in faults())

    def test_that_was_revoked_signs_nothing_more(self) -> None:
        """Its holder left; the attacker has the key."""
        lost = SigningKey.objects.get(person_id=LORENZO.user_id or 0)
        revoke_key(key_id=lost.pk, note="left", at=NOW - timedelta(hours=1), actor=GIULIA)

        case = self.approved_with(key_of(LORENZO))

        assert "not in force then" in nothing_moves(case)

    def test_that_was_revoked_signs_nothing_dated_back(self) -> None:
        """The thief of the key dates the decision a minute before the revocation."""
        lost = SigningKey.objects.get(person_id=LORENZO.user_id or 0)
        revoke_key(key_id=lost.pk, note="left", at=NOW + timedelta(minutes=1), actor=GIULIA)
        append_to_log(KEY, now=NOW + timedelta(minutes=1))

        case = self.approved_with(key_of(LORENZO))

        assert "revoked before by the log" in nothing_moves(case)

    def test_that_was_revoked_signs_nothing_that_is_logged_later(self) -> None:
        """The same once the log has received it, after the revocation."""
        lost = SigningKey.objects.get(person_id=LORENZO.user_id or 0)
        revoke_key(key_id=lost.pk, note="left", at=NOW + timedelta(minutes=1), actor=GIULIA)
        append_to_log(KEY, now=NOW + timedelta(minutes=1))
        case = self.approved_with(key_of(LORENZO))
        append_to_log(KEY, now=NOW + timedelta(minutes=2))

        assert "revoked before by the log" in nothing_moves(case)

    def test_whose_approval_was_dated_back_signs_nothing_yet(self) -> None:
        """Accomplices sign the approvals with a date two days ago; the log is younger."""
        forger = registered(LORENZO.name, LORENZO.user_id or 0, at=NOW - timedelta(days=3))
        seen = NOW - timedelta(days=2)
        for approver in (GIULIA, ANOTHER):
            approve_key(key_id=forger.row.id, note="seen", at=seen, actor=approver)
        append_to_log(KEY, now=NOW - timedelta(minutes=1))

        case = self.approved_with(forger.key)

        assert "in force from 2026-11-22 21:49" in nothing_moves(case)

    def test_of_a_demo_signs_nothing_elsewhere(self, settings: Settings) -> None:
        """The private key of a demo lies in a file."""
        key = SoftwareKey.generate()
        row = SigningKey.objects.get(person_id=LORENZO.user_id or 0)
        row.pk, row.credential_id, row.public_key = "d" * 64, key.credential_id, key.public.cose
        row.is_software = True
        with as_web():
            row.save(force_insert=True)
            SigningKeyStep.objects.create(
                key=row, sequence=1, action="rooted", in_force_from=NOW, at=NOW, actor="demo"
            )

        case = self.approved_with(key)

        assert "a key of the demo" in nothing_moves(case)

    def test_that_did_not_verify_its_user_signs_nothing(self) -> None:
        """A stolen authenticator without its PIN: present, not verified."""
        case = self.approved_with(key_of(LORENZO), flags=PRESENT)

        assert "found no verified user" in nothing_moves(case)

    def test_of_another_site_signs_nothing(self) -> None:
        """A look-alike page made the person sign."""
        pem = key_of(LORENZO).pem
        elsewhere = SoftwareKey.load(pem, site="sab0t.example", origin="https://sab0t.example")
        row = SigningKey.objects.get(person_id=LORENZO.user_id or 0)

        case = self.approved_with(elsewhere, key_id=row.pk)

        assert "found a signature made at https://sab0t.example" in nothing_moves(case)
