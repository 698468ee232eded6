"""Rounds that no studio signed, stored by SQL where signatures are required: none is paid.

The web role stores rounds, because programs deliver them to web hosts.
"""

from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import IntegrityError, transaction

from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.batches import batch_of, record_id
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Transfer
from payouts.settlement.settle import Settled
from rounds.models import (
    QueuedRound,
    Round,
    SignatureRequirement,
    SignedBatch,
    Validation,
)
from rounds.signatures import hold_unsigned, received_by_log, required_at_arrival
from rounds.signatures.store_signature import restored_signature
from rounds.simulation.casino import Order, simulate
from rounds.simulation.games import GAMES, table_codes
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Guard
from tests.attacks.studios.signed_feeds import A, B, batch, without_triggers
from tests.attacks.studios.stored_rounds import assert_held, signed_and_withdrawn, store
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_bet
from tests.studio_signatures import Signer, ingest_signed, require_signatures_at

_KEY: Final = Ed25519PrivateKey.generate()
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


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
            {"dealer": "d-99"},
            {"dealer": None},
            {"shift": "night"},
            {"location": "Bucharest"},
        ],
    )
    def test_with_other_facts_than_were_signed_is_held(self, change: dict[str, Any]) -> None:
        """The host that received the delivery stores other cards, stakes, players or dealers."""
        Signer().registered()
        dealt_by = {"dealer": "d-17", "shift": "evening", "location": "Riga"}
        stored = {name: text for name, text in {**dealt_by, **change}.items() if text is not None}
        signature = signed_and_withdrawn(batch("r-1", **dealt_by))
        store(batch("r-1", **stored), signature)

        assert_held("r-1")

    def test_that_claims_to_be_older_than_the_requirement_is_held(self) -> None:
        """The log received it after the requirement."""
        append_to_log(_KEY, now=NOW)
        store(batch("r-1"))
        append_to_log(_KEY, now=NOW + timedelta(minutes=1))
        without_triggers("UPDATE rounds_round SET arrival = 0")

        assert_held("r-1")

    def test_is_held_under_a_step_that_nobody_recorded(self) -> None:
        """Which shows signatures as required, so that nobody requires them."""
        opened = open_table("bac-2")
        with as_web():
            SignatureRequirement.objects.create(
                table=opened,
                sequence=1,
                action="required",
                note="The studio signs.",
                since_arrival=1 << 40,
                at=NOW,
                actor="Nobody",
                actor_user_id=99,
            )
        store(batch("r-1", table="bac-2"))
        append_to_log(_KEY, now=NOW)

        assert_held("r-1")

    def test_is_held_if_a_record_claims_an_earlier_place(self) -> None:
        """In a batch that was in the log before the requirement, and has no such leaf."""
        open_table("bac-2")
        for earlier in ("r-0", "r-00"):
            ingest(batch(earlier, table="bac-2").splitlines())
        settle()
        append_to_log(_KEY, now=NOW)
        require_signatures_at("bac-2")
        append_to_log(_KEY, now=NOW + timedelta(minutes=1))
        first = AuditRecord.objects.get(subject="round:r-0", action="ROUND_RECEIVED")
        place = record_id(batch_of(first.pk), 1)
        said: dict[str, Any] = {"action": "ROUND_RECEIVED", "subject": "round:r-1", "details": {}}
        store(batch("r-1", table="bac-2"))
        with as_web():
            AuditRecord.objects.create(
                id=place, at=first.at, actor="studio", leaf=bytes(32), **said
            )
        append_to_log(_KEY, now=NOW + timedelta(minutes=2))
        without_triggers("UPDATE rounds_round SET arrival = 0 WHERE reference = 'r-1'")

        assert_held("r-1")


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


_Rounds = TestARoundThatNobodySigned()
GUARDS = {
    "facts": Guard(
        hold_unsigned._differing,
        "_as_stored(dealt, names) != stored.dealt",
        partial(
            _Rounds.test_with_other_facts_than_were_signed_is_held,
            change={"session": "M000000000000002"},
        ),
    ),
    "time": Guard(
        required_at_arrival.RequirementsAtArrival.apply_to,
        "bool(later) and (not _was_received_before(stored, later))",
        _Rounds.test_that_claims_to_be_older_than_the_requirement_is_held,
    ),
    "recorded step": Guard(
        required_at_arrival._is_before,
        "decided.exists()",
        _Rounds.test_is_held_under_a_step_that_nobody_recorded,
        passing="True",
    ),
    "place in the log": Guard(
        received_by_log.receipt_of,
        "is_in_log_or_pending(found)",
        _Rounds.test_is_held_if_a_record_claims_an_earlier_place,
        passing="True",
    ),
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_without_its_guard_is_paid(guard: Guard, request: pytest.FixtureRequest) -> None:
    """Each condition is needed."""
    guard.is_needed(request)
