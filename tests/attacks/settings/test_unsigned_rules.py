"""Rule sets of an installed release move no money until a person of compliance signed them."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import pytest
from django.db import ProgrammingError, transaction

from compliance.signatures.models import DecisionSignature
from compliance.signatures.verify_signatures import verify_signatures
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entry
from payouts.cases.models import CaseWork
from payouts.cases.remedies import Remedy
from payouts.settlement import resettle as resettlement
from payouts.settlement import settle as settlement
from payouts.settlement.models import Settlement
from payouts.settlement.verify_rules import verify_settled_rules
from rounds.models import EarlierRuleSet, QueuedRound, Validation
from rounds.rules import catalogue
from rounds.services import require_signed_rules as service
from rounds.services import sign_rules as signing_service
from rounds.services.put_rules_in_force import put_rules_in_force
from rounds.services.require_signed_rules import SIGNED, UnsignedRulesError, waiting_among
from rounds.services.sign_rules import KNOWN, sign_rules, unsigned_rule_sets
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Guard, unguarded, weakened
from tests.attacks.settings.test_forged_rules import CHANGED, OTHER, RELEASE, RULES
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose
from tests.payouts.settlement.resettlement_scenarios import (
    GIULIA,
    LORENZO,
    resettle,
    stored,
    void,
)
from tests.signers import FirstKey

pytestmark = pytest.mark.django_db

LATER: Final = NOW + timedelta(seconds=1)
"""Earlier than the next attempt."""


@pytest.fixture(autouse=True)
def _installed(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The software of a casino in play now has six decks of baccarat under a known name."""
    open_table()
    ingest(lines(baccarat_round("r-0")))
    settle()
    for actor in (GIULIA, LORENZO):
        assert isinstance(actor.signer, FirstKey)
        actor.signer.approve()
    KNOWN.forget()
    monkeypatch.setattr(catalogue, "RULE_SETS", CHANGED)
    put_rules_in_force(at=NOW, actor=RELEASE, catalogue=CHANGED)
    ingest(lines(baccarat_round("r-1")))
    yield
    KNOWN.forget()


def settled() -> list[str]:
    """What the workers have settled by the changed rules, after another attempt."""
    SIGNED.forget()
    with as_role(DatabaseRole.WORKER):
        settle(at=LATER)
    rows = Settlement.objects.filter(rules_digest=OTHER.digest)
    return list(rows.values_list("round__reference", flat=True))


def named() -> list[str]:
    """What ``verify_trail`` names about settled rounds and signed decisions."""
    found: list[str] = []
    verify_settled_rules(found.append)
    verify_signatures(found.append)
    return found


def forged(role: DatabaseRole) -> None:
    """Record and signature of the changed rules by SQL: Lorenzo signed other ones."""
    sign_rules(name="blackjack/1", at=NOW, actor=LORENZO, catalogue=CHANGED)
    signature = DecisionSignature.objects.order_by("pk").reverse()[0]
    details = {
        "digest": OTHER.digest.hex(),
        "in_force_from": str(OTHER.in_force_from),
        "sheet": OTHER.sheet,
    }
    entry = Entry("RULES_SIGNED", f"rules:{RULES}", details)
    with as_role(role):
        record_id = record_entry(entry, at=NOW, actor=Actor(LORENZO.name, LORENZO.user_id))
        if role is DatabaseRole.WEB:
            signature.record_id, signature.signed_with = record_id, [record_id]
            signature.save(force_insert=True)


def hold_by_row() -> None:
    """The round is held, as rows say that a worker wrote: it can be decided about."""
    Validation.objects.create(
        round_id=stored().id,
        sequence=1,
        status=Validation.Status.HELD,
        anomalies=["extra-card"],
        validated_at=NOW,
        actor="a",
    )
    QueuedRound.objects.all().delete()


def test_settle_nothing_until_a_person_signed_them() -> None:
    """The round waits with its error and one record, and is due once they are signed."""
    assert settled() == []
    waiting = QueuedRound.objects.get()
    assert waiting.last_error.startswith(f"UnsignedRulesError: {RULES} with the digest ")
    assert OTHER.digest.hex() in waiting.last_error
    refused = AuditRecord.objects.get(action="ROUND_REFUSED")
    assert (refused.subject, refused.details["running"]) == ("round:r-1", OTHER.digest.hex())
    assert waiting_among(unsigned_rule_sets(CHANGED)) == [RULES]
    assert waiting.due_at > LATER

    with as_web():
        sign_rules(name=RULES, at=LATER, actor=LORENZO, catalogue=CHANGED)

    assert waiting_among(unsigned_rule_sets(CHANGED)) == []
    assert settled() == ["r-1"]
    assert named() == []


@pytest.mark.parametrize("role", [DatabaseRole.WEB, DatabaseRole.WORKER])
def test_settle_nothing_by_a_forged_signature(role: DatabaseRole) -> None:
    """The record is named."""
    forged(role)

    assert settled() == []
    assert any("RULES_SIGNED" in fault for fault in named())


@pytest.mark.parametrize("role", [DatabaseRole.WEB, DatabaseRole.WORKER])
def test_are_not_made_ones_from_before(role: DatabaseRole) -> None:
    """Only the owner of the tables says so."""
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        as_role(role),
    ):
        EarlierRuleSet.objects.create(digest=OTHER.digest)


def test_settle_nothing_by_a_due_time() -> None:
    """Rows of the queue are the web role's as well."""
    settled()
    with as_web():
        QueuedRound.objects.update(due_at=NOW, attempts=0, last_error="")

    assert settled() == []


def test_settle_nothing_again() -> None:
    """Neither by their rules nor by a void, though two persons decide."""
    hold_by_row()

    for decide in (resettle, void):
        with pytest.raises(UnsignedRulesError):
            decide(after=0)
    assert settled() == []


def test_settle_nothing_in_a_case() -> None:
    """Its round is refused, with the reason."""
    hold_by_row()
    case = opened("malfunction", "r-1")
    propose(case, Remedy.VOID)
    approve(case)

    execute(case)

    work = CaseWork.objects.get()
    assert work.outcome == CaseWork.Outcome.REFUSED
    assert "is not signed" in work.error
    assert settled() == []


def test_by_which_other_software_settled_are_named() -> None:
    """Software that does not ask for the signature."""
    with weakened(service.require_signed_rules, "rules not in SIGNED"):
        assert settled() == ["r-1"]

    [fault] = named()
    assert fault.startswith(f"rules:{RULES}: found 1 settlements by digest {OTHER.digest.hex()}")
    assert "round r-1; needed a signature" in fault


GUARDS: Final = (
    Guard(
        service.require_signed_rules,
        "rules.digest == stored.rules_digest and rules not in SIGNED",
        test_settle_nothing_until_a_person_signed_them,
    ),
    Guard(
        service.is_in_force,
        "signature_of(rules) is not None",
        test_settle_nothing_by_a_due_time,
        passing="True",
    ),
    Guard(
        settlement.settle_rounds,
        "require_signed_rules(arrived)",
        test_settle_nothing_by_a_due_time,
        passing="None",
    ),
    Guard(
        resettlement._settle_again,
        "require_signed_rules([stored])",
        test_settle_nothing_again,
        passing="None",
    ),
    Guard(
        signing_service.sign_rules,
        "retry_rounds_under(catalogue[name].digest, at=at)",
        test_settle_nothing_until_a_person_signed_them,
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_money_moves(guard: Guard, request: pytest.FixtureRequest) -> None:
    """By rules that nobody signed, or none by those that somebody did."""
    guard.is_needed(request)


def test_the_list_of_guards_is_complete() -> None:
    """Each condition under which a rule set is refused is in it."""
    assert unguarded(service, GUARDS) == set()
