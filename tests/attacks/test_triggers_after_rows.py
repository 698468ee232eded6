"""Triggers that look at rows once they are stored, or change them, are needed as well.

Without each an attack succeeds. Those that refuse a row before it is stored are in
``test_triggers``.
"""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, Final

import psycopg
import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from casino.access.models.roles import ROLES_GIVEN_ON_HOST
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.record import Entry, record_entry
from payouts.cases.models import GoodwillCredit
from payouts.ledger.models import PayOver
from rounds.models import (
    ClosedDay,
    ConflictingDocument,
    Customer,
    OpenConflict,
    OpenQuarantine,
    QuarantinedDocument,
)
from tests.attacks.access.test_forged_roles import TestRoles as _Roles
from tests.attacks.access.test_forged_roles import clerk
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Attack, fixtures_of, succeeds_without_trigger
from tests.attacks.studios.test_invented_rounds import TestWhoStoredARound as _WhoStored
from tests.attacks.test_release_upload import TestAHeldUpload as _HeldUploads
from tests.attacks.test_release_upload import TestTheUploader as _Uploads
from tests.casino_in_play import NOW, ingest, open_table
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.settlement.conftest import two_alike_rounds
from tests.payouts.settlement.resettlement_scenarios import GIULIA, stored
from tests.payouts.settlement.test_first_settlement_triggers import TestAFirstSettlement as _First
from tests.payouts.settlement.test_first_settlement_triggers import other_stakes

pytestmark = pytest.mark.django_db
__all__ = ["clerk", "two_alike_rounds"]  # fixtures of the attacks' own tests

DAY: Final = date(2026, 11, 21)


def a_round() -> None:
    """A second copy of a round."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE copied AS SELECT * FROM rounds_round LIMIT 1")
        cursor.execute("UPDATE copied SET id = gen_random_uuid(), arrival = arrival + 1000")
        cursor.execute("INSERT INTO rounds_round SELECT * FROM copied")


def a_settlement() -> None:
    """Of a round without bets, which agrees with all of them."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO payouts_settlement (round_id, sequence, kind, rules, rules_digest,
                   staked_cents, payout_cents, chips_cents, results_digest, settled_at, actor,
                   reason, booked_on)
               SELECT id, 1, 'settled', rules, rules_digest, 0, 0, 0, '', now(), 'a', '', booked_on
                 FROM rounds_round WHERE reference = 'r-empty'"""
        )


def a_pay_over() -> None:
    """Of a day whose report is at the regulator."""
    customer = Customer.objects.all()[0]
    PayOver.objects.create(
        id=stored("r-1").id,
        reference="w-1",
        customer=customer,
        asset="cash",
        cents=1,
        at=NOW,
        actor="wallet",
        booked_on=DAY,
    )


def a_credit() -> None:
    """In a further case than the one that has one."""
    row = GoodwillCredit.objects.get()
    row.pk, row.case, row.booked_on = stored("r-1").id, opened("goodwill"), DAY
    row.save(force_insert=True)


@pytest.mark.parametrize("insert", [a_round, a_settlement, a_pay_over, a_credit])
def test_nothing_is_booked_on_a_closed_day(
    settled_rounds: None, insert: Callable[[], None]
) -> None:
    """Even by somebody who knows the tables."""
    ingest(lines(baccarat_round("r-empty", bets=[])))
    ClosedDay.objects.create(day=DAY)

    with pytest.raises(IntegrityError, match="the books of"), transaction.atomic():
        insert()


@pytest.mark.parametrize(
    ("role", "action"),
    [
        (DatabaseRole.WEB, "PAID_OVER"),
        (DatabaseRole.WORKER, "MONTH_DETACHED"),
        (DatabaseRole.WORKER, "ARCHIVE_WRITTEN"),
    ],
)
def test_what_another_role_does_is_not_recorded(role: DatabaseRole, action: str) -> None:
    """Such a record is said to prove that it was done. ``test_reserved_actions`` tries all."""
    refused = pytest.raises(ProgrammingError, match="may not record")
    with refused as error, transaction.atomic(), as_role(role):
        record_entry(Entry(action, "round:r-1", {}), at=NOW, actor=GIULIA)
    assert isinstance(error.value.__cause__, psycopg.errors.InsufficientPrivilege)


@pytest.mark.parametrize("model", [QuarantinedDocument, ConflictingDocument])
def test_a_refused_document_is_on_the_list(
    settled_rounds: None, model: type[QuarantinedDocument | ConflictingDocument]
) -> None:
    """Also one that SQL stores: a person has to look at it."""
    columns: dict[str, Any] = {"source": "x", "line": 1, "content": b"{", "digest": bytes(32)}
    if model is ConflictingDocument:
        columns["round_id"] = stored("r-1").id
    with as_web():
        model.objects.create(**columns, received_at=NOW)

    assert OpenQuarantine.objects.exists() or OpenConflict.objects.exists()


_of_uploads: Final = partial(_Uploads().test_cannot_be_changed, fresh_casino="")
_recorded: Final = partial(partial, test_what_another_role_does_is_not_recorded)
_closed: Final = partial(partial, test_nothing_is_booked_on_a_closed_day)
AFTER_ROWS: Final[tuple[tuple[str, str, Attack], ...]] = (
    (
        "payouts_feedupload",
        "upload_sender_stays",
        partial(
            _of_uploads,
            statement="UPDATE payouts_feedupload SET actor = 'nobody', actor_user_id = 99",
        ),
    ),
    (
        "payouts_feedupload",
        "upload_sender_stays",
        partial(_of_uploads, statement="DELETE FROM payouts_feedupload"),
    ),
    ("payouts_goodwillcredit", "goodwill_books_open", _closed(insert=a_credit)),
    ("payouts_payover", "pay_over_books_open", _closed(insert=a_pay_over)),
    (
        "payouts_settlement",
        "settlement_agrees",
        partial(_First().test_that_disagrees_is_refused, change=other_stakes),
    ),
    ("payouts_settlement", "settlement_books_open", _closed(insert=a_settlement)),
    (
        "payouts_settlement",
        "settlement_released",
        partial(_HeldUploads().test_is_paid_by_no_inserted_settlement, fresh_casino=""),
    ),
    (
        "rounds_conflictingdocument",
        "conflict_opens",
        partial(test_a_refused_document_is_on_the_list, model=ConflictingDocument),
    ),
    (
        "rounds_quarantineddocument",
        "quarantine_opens",
        partial(test_a_refused_document_is_on_the_list, model=QuarantinedDocument),
    ),
    ("rounds_queuedround", "queued_by_role", _WhoStored().test_is_not_what_the_web_role_says),
    ("rounds_queuedround", "queued_by_role", _WhoStored().test_does_not_change),
    ("rounds_round", "round_books_open", _closed(insert=a_round)),
    (
        "trail_auditrecord",
        "archive_record_by_exporter",
        _recorded(role=DatabaseRole.WORKER, action="ARCHIVE_WRITTEN"),
    ),
    (
        "trail_auditrecord",
        "host_record_by_owner",
        partial(_Roles().test_by_a_record_of_the_host_are_refused, action=ROLES_GIVEN_ON_HOST),
    ),
    (
        "trail_auditrecord",
        "money_record_by_whoever_posts",
        _recorded(role=DatabaseRole.WEB, action="PAID_OVER"),
    ),
    (
        "trail_auditrecord",
        "month_record_by_owner",
        _recorded(role=DatabaseRole.WORKER, action="MONTH_DETACHED"),
    ),
)


@pytest.mark.parametrize(
    ("of", "trigger", "attack"), AFTER_ROWS, ids=[name for _, name, _ in AFTER_ROWS]
)
def test_without_it_its_attack_succeeds(
    of: str, trigger: str, attack: Attack, request: pytest.FixtureRequest
) -> None:
    """The row is stored, changed, or on no list."""
    if trigger == "queued_by_role":
        open_table()
    if trigger == "settlement_agrees":
        request.getfixturevalue("two_alike_rounds")
    succeeds_without_trigger(of, trigger, attack, **fixtures_of(attack, request))
