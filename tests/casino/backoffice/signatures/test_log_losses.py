"""The page of log keys after a restore: two persons declare what the database has lost."""

import pytest
from django.contrib.auth.models import User

from compliance.trail.log.log_losses import found_loss
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.models import AuditRecord, LogGap
from compliance.trail.people import actor_of
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.compliance.trail.logs import append_signed
from tests.compliance.trail.lost_logs import REASON, find_loss, give_role, lose

PAGE = "/admin/log-keys/"
PROPOSE = "/admin/log-keys/loss/"

pytestmark = pytest.mark.django_db


def somebody(role: str) -> User:
    """A person in a role that the host gave."""
    user = person(role)
    give_role(actor_of(user), role)
    return user


@pytest.fixture
def witnessed(db: None) -> WitnessedHead:
    """The head that the database has lost, as a worker found it."""
    witnessed = lose(300, 2, after=[260])
    find_loss(witnessed)
    return witnessed


def proposal_of(user: User) -> AuditRecord:
    """The person proposes it on the page."""
    loss = found_loss()
    assert loss is not None
    reader(user).post(PROPOSE, {"loss": loss.subject, "reason": REASON})
    return AuditRecord.objects.filter(action="LOG_GAP_PROPOSED").latest("id")


def test_says_nothing_where_nothing_is_lost() -> None:
    """And shows no form."""
    words = plain(reader(person("compliance")), PAGE)

    assert "lost" not in words
    assert "Declared gaps" not in words


def test_takes_the_signatures_of_two_persons(witnessed: WitnessedHead) -> None:
    """Then the worker continues the log, and the gap stays on the page."""
    compliance, administrator = somebody("compliance"), somebody("administrator")
    words = plain(reader(compliance), PAGE)
    assert "The database has lost the end of the audit log" in words
    assert "302 audit records that were signed are not in it any more" in words

    proposal = proposal_of(compliance)
    assert "Sign and confirm" not in plain(reader(compliance), PAGE)
    assert f"{REASON} Sign and confirm" not in plain(reader(person("auditor")), PAGE)
    assert "Sign and confirm" in plain(reader(administrator), PAGE)
    assert "Declare the loss" not in plain(reader(administrator), PAGE)
    reader(administrator).post(f"{PROPOSE}{proposal.pk}/")

    assert "Declared by compliance and administrator" in plain(reader(compliance), PAGE)
    append_signed(witnessed=witnessed)
    words = plain(reader(compliance), PAGE)
    assert "2\N{EN DASH}3 302 Signed by two persons" in words
    assert REASON in words
    assert "The database has lost" not in words


def test_refuses_the_same_person(witnessed: WitnessedHead) -> None:
    """With words."""
    compliance = somebody("compliance")
    proposal = proposal_of(compliance)

    reader(compliance).post(f"{PROPOSE}{proposal.pk}/")

    assert not AuditRecord.objects.filter(action="LOG_GAP_CONFIRMED").exists()


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"reason": " "}, "Enter a reason."),
        ({"loss": "log-loss:1-9", "reason": REASON}, "does not wait for a declaration any more"),
    ],
)
def test_names_what_is_wrong(witnessed: WitnessedHead, form: dict[str, str], message: str) -> None:
    """Nothing is recorded."""
    browser = reader(somebody("compliance"))
    browser.post(PROPOSE, {"loss": "log-loss:1-3", **form})

    assert message in plain(browser, PAGE)
    assert not AuditRecord.objects.filter(action="LOG_GAP_PROPOSED").exists()


def test_refuses_a_role_that_nobody_decided(witnessed: WitnessedHead) -> None:
    """Rows of groups give nobody the right to declare it."""
    officer = person("compliance")
    give_role(actor_of(officer))
    browser = reader(officer)
    browser.post(PROPOSE, {"loss": "log-loss:1-3", "reason": REASON})

    assert "No signed decision gives you a role" in plain(browser, PAGE)


def test_names_a_gap_that_nobody_declared() -> None:
    """As the owner of the tables can store one."""
    lose(1, after=[5, 3])
    LogGap.objects.create(
        sequence=2,
        after=1,
        peaks=b"",
        proposal_id=AuditRecord.objects.latest("id").pk,
        confirmation_id=AuditRecord.objects.latest("id").pk,
    )

    assert "2\N{EN DASH}2 3 Not declared" in plain(reader(person("auditor")), PAGE)


def test_is_named_on_the_first_page(witnessed: WitnessedHead) -> None:
    """For everybody who sees rounds; a link for those who see the keys."""
    supervisor, compliance = (
        plain(reader(person(r)), "/admin/") for r in ("supervisor", "compliance")
    )

    for words in (supervisor, compliance):
        assert "302 signed audit records are lost" in words
    assert "Log keys" in compliance


def test_is_an_audit_record_with_both_heads(witnessed: WitnessedHead) -> None:
    """Which everybody who reads the trail can verify."""
    record = AuditRecord.objects.get(action="LOG_LOSS_FOUND")

    words = plain(reader(person("auditor")), f"/admin/trail/auditrecord/{record.pk}/change/")

    assert "Lost records of the audit log found" in words
    assert witnessed.head.root.hex() in words
