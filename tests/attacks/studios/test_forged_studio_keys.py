"""Studio keys and settings of tables that two persons did not sign: without effect, and named."""

from functools import partial
from typing import Any, Final

import pytest

from compliance.signatures.models import DecisionSignature
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from rounds.models import Round, SignatureRequirement, StudioKey, StudioKeyStep, Table
from rounds.services.require_signatures import allow_unsigned_rounds, propose_unsigned_rounds
from rounds.services.studio_keys import approve_studio_key
from rounds.signatures import decided_by_persons
from rounds.signatures.decided_by_persons import KNOWN
from tests.attacks.forgeries import as_owner, as_web, key_of, signed
from tests.attacks.guards import Attack, succeeds_without
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

[_LINE] = lines(baccarat_round("r-1"))
FEED: Final = _LINE + b"\n"


@pytest.fixture(autouse=True)
def table(db: None) -> Table:
    """A table that requires signatures; its persons have keys."""
    KNOWN.forget()
    opened = open_table()
    require_signatures_at()
    return opened


def faults() -> list[str]:
    """What ``verify_trail`` names about signed decisions."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


def is_held() -> bool:
    """Whether the round is held for want of a signature."""
    return Round.objects.get(reference="r-1").arrival_anomalies == ["unsigned-source"]


def deliver() -> None:
    """The round arrives, signed with the studio key."""
    ingest_signed(FEED, Signer().signature_lines(FEED))


def forged_key() -> StudioKey:
    """A row of the thief's key that Paolo is said to have proposed."""
    return StudioKey.objects.create(
        key_id=Signer().key_id,
        studio="Live Studio",
        public_key=Signer().public,
        tables=["bac-1"],
        valid_from=LONG_AGO,
        valid_until=YEARS_AHEAD,
        reason="a further key",
        proposed_at=LONG_AGO,
        actor=PROPOSER.name,
        actor_user_id=PROPOSER.user_id or 0,
    )


def forged_approval(key: StudioKey, actor: Actor = APPROVER) -> StudioKeyStep:
    """A row of its approval, without a signature."""
    return StudioKeyStep.objects.create(
        key=key,
        sequence=1,
        action="approved",
        at=LONG_AGO,
        actor=actor.name,
        actor_user_id=actor.user_id or 0,
    )


def forged_setting(table: Table, sequence: int, action: str, actor: Actor) -> SignatureRequirement:
    """A row of a step of the table's setting, without a signature."""
    return SignatureRequirement.objects.create(
        table=table,
        sequence=sequence,
        action=action,
        note="an outage",
        since_arrival=0,
        at=NOW,
        actor=actor.name,
        actor_user_id=actor.user_id or 0,
    )


class TestAStudioKey:
    def test_that_two_persons_signed_counts(self) -> None:
        """The control."""
        Signer().registered()

        deliver()

        assert (is_held(), faults()) == (False, [])

    def test_of_unsigned_rows_signs_nothing(self) -> None:
        """Key, approval and their audit records, by SQL of the web role."""
        with as_web():
            key = forged_key()
            record_entry(key.entry, at=LONG_AGO, actor=Actor(PROPOSER.name, PROPOSER.user_id))
            approval = forged_approval(key)
            record_entry(approval.entry, at=LONG_AGO, actor=Actor(APPROVER.name, APPROVER.user_id))

        deliver()

        assert is_held()
        assert len(faults()) == 4  # both rows, both records

    def test_that_only_one_person_signed_signs_nothing(self) -> None:
        """Paolo's real proposal, approved in Lorenzo's name; without an audit record."""
        key = Signer().proposed()
        with as_web():
            forged_approval(key)

        deliver()

        assert is_held()
        unsigned = f"row of STUDIO_KEY_APPROVED of {key.subject} by {APPROVER.name}"
        assert faults() == [f"{unsigned}: found no audit record of it"]

    def test_that_the_proposer_signed_for_the_approver_signs_nothing(self) -> None:
        """With his own key in the approver's name."""
        key = Signer().proposed()
        with as_web():
            signed(forged_approval(key), key_of(PROPOSER))

        deliver()

        assert is_held()
        assert all("another person's key" in fault for fault in faults())

    def test_that_its_proposer_approved_signs_nothing(self) -> None:
        """He signed both steps in his own name, with triggers disabled."""
        key = Signer().proposed()
        with as_owner():
            signed(forged_approval(key, PROPOSER), key_of(PROPOSER))

        deliver()

        assert is_held()

    def test_with_the_signature_of_another_key_signs_nothing(self) -> None:
        """Lorenzo's approval of another studio's key, stored with this one."""
        other = Signer(2).registered()
        assertion = DecisionSignature.objects.latest("record_id")
        key = Signer().proposed()
        with as_web():
            approval = forged_approval(key)
            actor = Actor(APPROVER.name, APPROVER.user_id)
            record = record_entry(approval.entry, at=LONG_AGO, actor=actor)
            assertion.record_id, assertion.signed_with = record, [record]
            assertion.save(force_insert=True)

        deliver()

        assert is_held()
        assert all("another text" in fault for fault in faults())
        assert other.steps.count() == 1

    def test_for_other_tables_than_were_signed_signs_nothing(self) -> None:
        """The signed text names the tables; the row names one more."""
        key = Signer().proposed()
        with as_web():
            approval = forged_approval(key)
            key.tables = ["bac-1", "bac-2"]
            approval.key = key
            signed(approval, key_of(APPROVER))

        deliver()

        assert is_held()
        assert any("found no audit record of it" in fault for fault in faults())

    def test_is_not_approved_without_a_signature(self) -> None:
        """The service answers with the text and writes nothing."""
        key = Signer().proposed()

        with pytest.raises(SignatureRequired):
            approve_studio_key(key_id=key.pk, at=NOW, actor=Actor("Lorenzo Ferri", 42))

        assert not key.steps.exists()


class TestATable:
    @pytest.mark.parametrize("is_proposed", [False, True])
    def test_that_nobody_opened_by_signature_stays_closed(
        self, table: Table, *, is_proposed: bool
    ) -> None:
        """Both rows are forged, or the second one is."""
        if is_proposed:
            propose_unsigned_rounds(table_id=table.pk, note="x", seen=1, at=NOW, actor=PROPOSER)
        with as_web():
            if not is_proposed:
                forged_setting(table, 2, "proposed", PROPOSER)
            forged_setting(table, 3, "allowed", APPROVER)

        ingest(FEED.splitlines())

        assert is_held()
        assert len(faults()) == 2 - is_proposed

    def test_that_two_persons_opened_is_open(self, table: Table) -> None:
        """The control."""
        arguments: dict[str, Any] = {"table_id": table.pk, "note": "x", "at": NOW}
        propose_unsigned_rounds(**arguments, seen=1, actor=PROPOSER)
        allow_unsigned_rounds(**arguments, seen=2, actor=APPROVER)

        ingest(FEED.splitlines())

        assert (is_held(), faults()) == (False, [])

    def test_is_not_changed_without_a_signature(self, table: Table) -> None:
        """The service answers with the text and writes nothing."""
        with pytest.raises(SignatureRequired):
            propose_unsigned_rounds(
                table_id=table.pk, note="x", seen=1, at=NOW, actor=Actor("Paolo Greco", 41)
            )

        assert SignatureRequirement.objects.count() == 1


@pytest.mark.parametrize(
    ("place", "guard", "passing", "attack"),
    [
        (KNOWN, "are_signed", True, TestAStudioKey.test_of_unsigned_rows_signs_nothing),
        (
            KNOWN,
            "are_signed",
            True,
            TestAStudioKey.test_for_other_tables_than_were_signed_signs_nothing,
        ),
        (
            decided_by_persons,
            "is_same_person",
            False,
            TestAStudioKey.test_that_its_proposer_approved_signs_nothing,
        ),
    ],
)
def test_without_its_guard_a_key_signs(
    place: Any, guard: str, passing: object, attack: Attack
) -> None:
    """The round is not held."""
    succeeds_without(place, guard, attack, TestAStudioKey(), passing=passing)


@pytest.mark.parametrize("is_proposed", [False, True])
def test_without_its_guard_a_table_is_open(table: Table, *, is_proposed: bool) -> None:
    """The unsigned round is not held."""
    attack = partial(
        TestATable().test_that_nobody_opened_by_signature_stays_closed, is_proposed=is_proposed
    )
    succeeds_without(KNOWN, "are_signed", attack, table)
