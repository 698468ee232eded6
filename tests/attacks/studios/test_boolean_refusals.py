"""Answers and filters that refuse something are guards as well: without one an attack succeeds.

Of the rounds that a worker holds, of rows that persons signed, and of the order of the log.
"""

from functools import partial
from typing import Final

import pytest

from compliance.signatures import log_order, verify_rows
from rounds.models import Table
from rounds.signatures import hold_unsigned
from tests.attacks.guards import Guard, boolean_refusals, guarded
from tests.attacks.keys.test_guards_of_verification import GUARDS as OF_VERIFICATION
from tests.attacks.settings.test_forged_limits import GUARDS as OF_LIMITS
from tests.attacks.settings.test_forged_suspensions import GUARDS as OF_SUSPENSIONS
from tests.attacks.settings.test_forged_tax_rates import GUARDS as OF_TAX_RATES
from tests.attacks.studios.signed_feeds import batch, without_triggers
from tests.attacks.studios.stored_rounds import assert_held, signed_and_withdrawn, store
from tests.attacks.studios.test_guards_of_signatures import STORED
from tests.attacks.studios.test_invented_batches import GUARDS as OF_BATCHES
from tests.attacks.studios.test_invented_rounds import GUARDS as OF_ROUNDS
from tests.attacks.studios.test_invented_rounds import TestARoundThatNobodySigned as _Rounds
from tests.attacks.studios.test_misdated_rounds import GUARDS as OF_DATES
from tests.attacks.studios.test_misdated_rounds import TestASignedRound as _Signed
from tests.casino_in_play import limit_stakes, open_table
from tests.studio_signatures import Signer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


def test_a_round_with_the_limits_of_another_table_is_held(table: Table) -> None:
    """Which are wider; its own came into force after it."""
    wide = (100, 100_000_00)
    other = open_table("bac-2")
    limit_stakes(other, player=wide, banker=wide, tie=wide)
    limit_stakes(table, player=(100, 200), banker=(100, 200), tie=(100, 200))
    Signer().registered()
    store(batch("r-1"), signed_and_withdrawn(batch("r-1")))
    without_triggers(
        "UPDATE rounds_round SET limit_set_id = ("
        "SELECT id FROM rounds_stakelimitset WHERE table_id = %s)",
        [other.pk],
    )

    assert_held("r-1")


_other_facts: Final = partial(
    _Rounds().test_with_other_facts_than_were_signed_is_held,
    change={"session": "M000000000000002"},
)
_other_limits: Final = partial(_Signed().test_has_the_limits_of_its_table, is_tampered=True)
_late: Final = _Signed().test_that_was_withheld_is_late
_invented: Final = _Rounds().test_is_held
_of_feed = Guard(
    hold_unsigned.hold_unsigned,
    "batch is not None and arrived.is_from_feed and batch.names(reference)",
    _other_facts,
    passing="batch is not None and batch.names(reference)",
)
_limits = Guard(
    hold_unsigned._had_limits,
    "in_force is not None or arrived.limit_set_id is None",
    test_a_round_with_the_limits_of_another_table_is_held,
    passing="True",
)
_received: Final = "received_by_log(arrived.stored.dealt.round, at=at) >= batch.valid_until"
GUARDS: Final = (
    Guard(hold_unsigned._differing, "not _had_limits(arrived, in_force)", _other_limits),
    Guard(hold_unsigned._had_limits, "in_force.pk != arrived.limit_set_id", _other_limits),
    Guard(
        hold_unsigned._has_own_id,
        "stored.id == round_id(reference=dealt.round, opened_at=dealt.opened_at)",
        _Signed().test_is_not_paid_twice,
        passing="True",
    ),
    Guard(
        hold_unsigned._is_late,
        "opened_at < received_by_log(stored.dealt.round, at=at) - lateness",
        _late,
    ),
    Guard(
        hold_unsigned._needing_signature, "requirements.apply_to(needing[key], arrival)", _invented
    ),
    Guard(hold_unsigned._needing_signature, "requirements.ever(stored.table_id)", _invented),
    Guard(hold_unsigned.hold_unsigned, "dealt is None", _invented),
    Guard(hold_unsigned.hold_unsigned, "stored.id in codes", _invented),
    _of_feed,
    _limits,
)
NEEDLESS: Final = {
    ("_batch_of", "arrived.batch_id is None"): "no batch has this id",
    ("_batch_of", "is_over"): "spares a query; tried with the other part",
    ("_batch_of", _received): "tried with the other part",
    ("_differing", "tables"): "spares a query",
    ("_had_limits", "in_force is not None"): "tried with the other part",
    ("_had_limits", "arrived.limit_set_id is None"): "tried with the other part",
    ("_is_late", "is_old"): "spares a query",
    ("_needing_signature", "UNSIGNED_SOURCE not in stored.arrival_anomalies"): "held already",
    ("_needing_signature", "not needing"): "spares queries",
    ("hold_unsigned", "stored.id not in codes"): "held already",
    ("hold_unsigned", "batch is not None"): "an error otherwise",
    ("hold_unsigned", "batch is None"): "an error otherwise",
    ("hold_unsigned", "arrived.is_from_feed"): "tried with the other parts",
    ("in_force_by_log", "position is None"): "an error otherwise",
    ("is_logged_after", "before is not None"): "an error otherwise",
    ("is_logged_after", "position is None"): "tried with the other part",
    ("_verify", "row.pk in self._signed"): "tried where it becomes true",
    ("_verify", "row.pk not in self._signed"): "spares a verification",
    ("are_signed", "len(self._signed) >= _MOST_KEPT"): "limits memory",
}
"""Conditions that refuse nothing alone, and why."""


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_it_its_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """A round is settled that is held otherwise."""
    guard.is_needed(request)


def test_the_list_is_complete() -> None:
    """Each condition of these modules refuses something, or is named with what it is for."""
    guards = (
        *GUARDS,
        *STORED,
        *OF_BATCHES.values(),
        *OF_ROUNDS.values(),
        *OF_DATES.values(),
        *OF_LIMITS,
        *OF_SUSPENSIONS,
        *OF_TAX_RATES,
        *OF_VERIFICATION,
    )
    found = {
        refused
        for module in (hold_unsigned, log_order, verify_rows)
        for refused in boolean_refusals(module)
    }

    assert found - guarded(guards) == set(NEEDLESS)
