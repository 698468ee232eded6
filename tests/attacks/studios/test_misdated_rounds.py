"""Signed rounds that are stored again, late, under other limits or by an expired key."""

import copy
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.log.append_to_log import append_to_log
from payouts.settlement.models import Settlement
from rounds.models import Bet, QueuedRound, Round, Table, Validation
from rounds.signatures import hold_unsigned
from rounds.signatures.store_signature import store_signature
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Guard
from tests.attacks.studios.signed_feeds import A, batch, faults, without_triggers
from tests.attacks.studios.stored_rounds import (
    assert_held,
    signature_by,
    signed_and_withdrawn,
    store,
)
from tests.casino_in_play import NOW, Unchecked, ingest, limit_stakes, settle
from tests.compliance.trail.logs import KEY
from tests.studio_signatures import LONG_AGO, Signer, ingest_signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


def copied(original: Round) -> Round:
    """The round and its bets once more, under another id, as the web role can write them."""
    twin = copy.copy(original)
    twin.pk = twin.id = UUID(int=original.id.int ^ 1)
    twin.arrival = original.arrival + 1000
    bets = list(Bet.objects.filter(round=original).order_by("number"))
    with as_web():
        twin.save(force_insert=True)
        for bet in bets:
            bet.round_id = twin.id
            bet.save(force_insert=True)
        QueuedRound.objects.create(
            round_id=twin.id, arrival=twin.arrival, bet_count=twin.bet_count, due_at=NOW
        )
    return twin


def anomalies(*, at: datetime = NOW) -> list[list[str]]:
    """Why the worker holds the waiting rounds."""
    settle(at=at)
    return list(Validation.objects.filter(status="held").values_list("anomalies", flat=True))


class TestASignedRound:
    def test_is_not_paid_twice(self) -> None:
        """The signature is genuine, of the same facts; only the id of the row is another."""
        Signer().registered()
        ingest_signed(A, Signer().signature_lines(A))
        settle()
        twin = copied(Round.objects.get(reference="r-a1"))

        settle()

        assert not Settlement.objects.filter(round_id=twin.id).exists()

    def test_of_the_feed_needs_its_signature(self) -> None:
        """The role of feeds stores a round that is neither signed nor held."""
        with as_role(DatabaseRole.FEED):
            ingest(batch("f-1").splitlines(), arrival=Unchecked(NOW))

        assert_held("f-1")

    def test_of_the_feed_is_in_its_batch(self) -> None:
        """A genuine batch of other rounds."""
        Signer().registered()
        signature = signed_and_withdrawn(A)
        with as_role(DatabaseRole.FEED):
            ingest(batch("f-1").splitlines(), arrival=Unchecked(NOW, signature=signature))

        assert_held("f-1")

    def test_that_was_withheld_is_late(self) -> None:
        """For ninety days; a row that does not say so changes nothing."""
        Signer().registered()
        store(batch("r-1"), signed_and_withdrawn(batch("r-1")))

        assert anomalies(at=NOW + timedelta(days=90)) == [["late-arrival"]]

    def test_that_waited_in_time_is_not_late(self) -> None:
        """The control: the log received it before, and its table was suspended for long."""
        Signer().registered()
        store(batch("r-1"), signed_and_withdrawn(batch("r-1")))
        append_to_log(KEY, now=NOW)

        assert anomalies(at=NOW + timedelta(days=90)) == []

    @pytest.mark.parametrize("is_tampered", [True, False])
    def test_has_the_limits_of_its_table(self, *, is_tampered: bool) -> None:
        """Not none, if a row says so; without tampering it is held by its limits."""
        low = (100, 200)
        limit_stakes(Table.objects.get(), first=LONG_AGO, player=low, banker=low, tie=low)
        Signer().registered()
        store(batch("r-1"), signed_and_withdrawn(batch("r-1")))
        if is_tampered:
            without_triggers("UPDATE rounds_round SET limit_set_id = NULL")

        assert anomalies() == [["unsigned-source"] if is_tampered else ["stake-limits"]]

    def test_keeps_limits_that_changed_while_it_waited(self) -> None:
        """The control: it arrived under the set before."""
        table = Table.objects.get()
        limit_stakes(table, player=(100, 100_000), banker=(100, 100_000), tie=(100, 100_000))
        Signer().registered()
        store(batch("r-1"), signed_and_withdrawn(batch("r-1")))
        limit_stakes(table, player=(100, 200), banker=(100, 200), tie=(100, 200))

        assert anomalies() == []


class TestAnExpiredStudioKey:
    def test_signs_nothing_by_an_earlier_date(self) -> None:
        """The batch says that it was received before; the log received its round after."""
        key = Signer().registered(valid_until=NOW - timedelta(hours=20))
        signature = signature_by(key, batch("z-1"))
        with as_web():
            stored = store_signature(signature, source="feed", at=NOW - timedelta(hours=21))
        store(batch("z-1"))
        without_triggers("UPDATE rounds_round SET signed_batch_id = %s", [stored.pk])
        append_to_log(KEY, now=NOW)

        assert_held("z-1")
        assert faults() == [
            f"signed batch {stored}: its key had expired when the log received round z-1"
        ]

    def test_signed_what_the_log_received_in_time(self) -> None:
        """The control: settled later."""
        Signer().registered(valid_until=NOW + timedelta(hours=1))
        ingest_signed(A, Signer().signature_lines(A))
        append_to_log(KEY, now=NOW)

        settle(at=NOW + timedelta(days=3))

        assert Settlement.objects.count() == 2


_Rounds, _Keys = TestASignedRound(), TestAnExpiredStudioKey()
GUARDS = {
    "id": Guard(
        hold_unsigned.hold_unsigned,
        "not _has_own_id(stored)",
        _Rounds.test_is_not_paid_twice,
    ),
    "feed": Guard(
        hold_unsigned.hold_unsigned,
        "batch.names(reference)",
        _Rounds.test_of_the_feed_is_in_its_batch,
        passing="True",
    ),
    "late": Guard(
        hold_unsigned._differing,
        "_is_late(stored, at=at)",
        _Rounds.test_that_was_withheld_is_late,
    ),
    "expired": Guard(
        hold_unsigned._batch_of,
        "is_over and received_by_log(arrived.stored.dealt.round, at=at) >= batch.valid_until",
        _Keys.test_signs_nothing_by_an_earlier_date,
    ),
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_without_its_guard_is_paid(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Each condition is needed."""
    guard.is_needed(request)
