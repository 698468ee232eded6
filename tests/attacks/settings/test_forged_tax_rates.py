"""Tax rates that nobody signed: no register uses them, and all are named."""

from datetime import date, timedelta
from typing import Any, Final, cast

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, IntegrityError, ProgrammingError, connection, transaction

from compliance.exports import tax_rates
from compliance.exports.models import TaxRate
from compliance.exports.scope import Snapshot, one_day
from compliance.exports.services import set_tax_rate as service
from compliance.exports.services.set_tax_rate import set_tax_rate
from compliance.exports.tax_rates import KNOWN, signed_rates
from compliance.signatures import signature_verifier as verification
from compliance.signatures import verify_rows as rows_in_force
from compliance.signatures.models import DecisionSignature, EarlierDecision
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import record_entry
from tests.attacks.forgeries import as_role, as_web, key_of, signed
from tests.attacks.guards import Guard, succeeds_without_constraint
from tests.casino_in_play import NOW
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = pytest.mark.django_db

DAY: Final = date(2026, 11, 1)
UNSIGNED: Final = Actor(LORENZO.name, LORENZO.user_id)


@pytest.fixture(autouse=True)
def real(db: None) -> TaxRate:
    """25.5 % of all games, set by Lorenzo and replaced by 26 %."""
    KNOWN.forget()
    for number, rate in enumerate((255_000, 260_000)):
        at = NOW + timedelta(minutes=number)
        set_tax_rate(game="", in_force_from=DAY, per_million=rate, at=at, actor=LORENZO)
    return TaxRate.objects.latest("pk")


def forged(**columns: Any) -> TaxRate:
    """A rate of nothing in Lorenzo's name."""
    later = NOW + timedelta(hours=1)
    said = {"game": "", "in_force_from": DAY, "per_million": 0, "decided_at": later, **columns}
    return TaxRate.objects.create(**said, actor=LORENZO.name, actor_user_id=LORENZO.user_id)


def faults(real: TaxRate) -> list[str]:
    """What the verifiers name; the real rate is in force in any case."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    open_connection = cast("psycopg.Connection[Any]", connection.connection)
    view = Snapshot(open_connection, one_day(DAY), database=DEFAULT_DB_ALIAS)
    assert real.pk in view.arguments["tax_rates"]
    assert [rate for rate in signed_rates() if not rate.game][-1] == real
    return found


def test_that_their_person_signed_count(real: TaxRate) -> None:
    """The control."""
    assert faults(real) == []


def test_of_rows_alone_do_not_count(real: TaxRate) -> None:
    """By SQL of the web role."""
    with as_web():
        forged()

    unsigned = f"row of TAX_RATE_SET of tax:all by {LORENZO.name}"
    assert faults(real) == [f"{unsigned}: found no audit record of it"]


def test_with_an_unsigned_record_do_not_count(real: TaxRate) -> None:
    """The row, and its record."""
    with as_web():
        rate = forged()
        record_entry(rate.entry, at=rate.decided_at, actor=UNSIGNED)

    assert len(faults(real)) == 2


def test_signed_by_another_person_do_not_count(real: TaxRate) -> None:
    """Giulia's key does not sign for Lorenzo."""
    GIULIA.signer.approve()  # type: ignore[union-attr]  # a FirstKey
    with as_web():
        signed(forged(), key_of(GIULIA))

    assert len([fault for fault in faults(real) if "another person's key" in fault]) == 2


def test_with_the_signature_of_another_rate_do_not_count(real: TaxRate) -> None:
    """The text names the rate."""
    with as_web():
        rate = forged()
        record_id = record_entry(rate.entry, at=rate.decided_at, actor=UNSIGNED)
        replayed = DecisionSignature.objects.earliest("pk")
        replayed.record_id, replayed.signed_with = record_id, [record_id]
        replayed.save(force_insert=True)

    assert len(faults(real)) == 2


def test_that_were_replaced_do_not_come_back(real: TaxRate) -> None:
    """A copy of the first row would be signed."""
    first = TaxRate.objects.earliest("pk")
    with pytest.raises(IntegrityError), transaction.atomic(), as_web():
        forged(per_million=first.per_million, decided_at=first.decided_at)


def test_at_the_time_of_an_earlier_one_are_refused(real: TaxRate) -> None:
    """The record of a rate from before signatures counts for one row alone."""
    earlier = forged(game="blackjack")
    record_id = record_entry(earlier.entry, at=earlier.decided_at, actor=UNSIGNED)
    EarlierDecision.objects.create(record_id=record_id)
    with pytest.raises(IntegrityError), transaction.atomic(), as_web():
        forged(game="blackjack", per_million=1)

    assert {rate.game: rate.per_million for rate in signed_rates()} == {"": 260_000, "blackjack": 0}
    assert faults(real) == []


def test_that_put_an_earlier_one_under_another_name_do_not_count(real: TaxRate) -> None:
    """The record of a rate from before signatures names who set it."""
    with as_web():
        rate = forged()
    giulia = Actor(GIULIA.name, GIULIA.user_id)
    record_id = record_entry(rate.entry, at=rate.decided_at, actor=giulia)
    EarlierDecision.objects.create(record_id=record_id)

    assert len(faults(real)) == 1


def test_that_say_otherwise_than_an_earlier_one_do_not_count(real: TaxRate) -> None:
    """The record of a rate from before signatures says what it was."""
    with as_web():
        rate = forged()
    entry = rate.entry._replace(details={"in_force_from": str(DAY), "per_million": 260_000})
    EarlierDecision.objects.create(
        record_id=record_entry(entry, at=rate.decided_at, actor=UNSIGNED)
    )

    assert len(faults(real)) == 1


def test_that_were_set_first_do_not_replace_later_ones(real: TaxRate) -> None:
    """Rows do not count in the order of their numbers, which nobody signs."""
    at = NOW - timedelta(hours=1)
    set_tax_rate(game="", in_force_from=DAY, per_million=0, at=at, actor=LORENZO)

    assert faults(real) == []


def test_are_not_set_by_workers(real: TaxRate) -> None:
    """Nor are they changed by web hosts."""
    with pytest.raises(ProgrammingError), transaction.atomic(), as_role(DatabaseRole.WORKER):
        forged()
    with pytest.raises(ProgrammingError), transaction.atomic(), as_web():
        TaxRate.objects.update(per_million=0)

    assert faults(real) == []


def test_are_not_set_without_a_signature() -> None:
    """Nothing is written."""
    with pytest.raises(SignatureRequired):
        set_tax_rate(game="baccarat", in_force_from=DAY, per_million=0, at=NOW, actor=UNSIGNED)

    assert TaxRate.objects.count() == 2
    assert AuditRecord.objects.filter(action="TAX_RATE_SET").count() == 2


GUARDS: Final = (
    Guard(
        tax_rates.signed_rates,
        "KNOWN.are_signed(signed_row(rate))",
        test_of_rows_alone_do_not_count,
        passing="True",
    ),
    Guard(
        tax_rates.signed_rates,
        "TaxRate.objects.order_by('in_force_from', 'decided_at')",
        test_that_were_set_first_do_not_replace_later_ones,
        passing="TaxRate.objects.order_by('in_force_from', 'pk')",
    ),
    Guard(
        rows_in_force.KnownSignatures.are_signed,
        "texts not in self._signed",
        test_of_rows_alone_do_not_count,
    ),
    Guard(
        rows_in_force.KnownSignatures.are_signed,
        "require_signed(*rows)",
        test_of_rows_alone_do_not_count,
        passing="None",
    ),
    Guard(
        rows_in_force.verify_rows,
        "require_signed(row, verifier=verifier)",
        test_of_rows_alone_do_not_count,
        passing="None",
    ),
    Guard(
        verification._agrees,
        "record.actor == actor.name",
        test_that_put_an_earlier_one_under_another_name_do_not_count,
        passing="True",
    ),
    Guard(
        verification._agrees,
        "all((said[name] == record.details[name] for name in common))",
        test_that_say_otherwise_than_an_earlier_one_do_not_count,
        passing="True",
    ),
    Guard(
        service.set_tax_rate,
        "record_decision(rate.entry, at=at, actor=actor)",
        test_are_not_set_without_a_signature,
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The forged rate counts."""
    guard.is_needed(request)
    KNOWN.forget()


def test_without_its_constraint_a_further_rate_is_one_from_before_signatures(
    real: TaxRate,
) -> None:
    """A second row with the time of the first."""
    succeeds_without_constraint(
        "exports_taxrate",
        "one_tax_rate_at_a_time",
        test_that_were_replaced_do_not_come_back,
        real=real,
    )
