"""Every change of a superuser with disabled triggers is reported by ``verify_trail``.

Every column of every table that is audited, one change at a time (issue 6). The trail's own tables
and the bundles have separate tests (``test_verify_log``, ``test_row_digests``,
``test_verify_bundle``).
"""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import ceil
from typing import Final, NamedTuple

import pytest
from django.apps import apps
from django.db import transaction

from compliance.storage.app_declarations import declarations
from compliance.storage.append_only import is_append_only
from compliance.trail.extra_checks import Report
from compliance.trail.fault_messages import fault_message
from compliance.trail.log.signed_heads import WitnessedHead
from compliance.trail.log.stored_heads import signed_head_of
from compliance.trail.log.verify_log import verify_trail
from compliance.trail.models import SandboxStart, TreeHead
from compliance.trail.row_digests import attested_models
from payouts.reconciliation.checks.all_checks import verify_facts_and_money
from tests.compliance.storage.append_only_tables import APPEND_ONLY
from tests.compliance.trail.row_changes import Change, How, Made, changes_of, further_changes_of
from tests.conftest import NewTemplate
from tests.repetitions import repeated
from tests.tampering.casino import play_everything

_SEED: Final = 20261122
_FURTHER: Final = 40
_KEPT: Final = {model._meta.db_table for model in attested_models()}
_FACTS: Final = [
    table
    for table in APPEND_ONLY
    if table not in _KEPT and not table.startswith(("trail_", "exports_"))
]
"""Rounds, settlements and transfers: they follow from each other and from the records."""

_NOT_ONE_LATER: Final = Change("payouts_transfer", "reverses_entry")
"""PostgreSQL refuses this change of a fact by itself."""

_COSIGNATURES: Final = "trail_cosignature"
_WITHOUT_EFFECT: Final = {
    Change(_COSIGNATURES, "id"),
    Change(_COSIGNATURES, None, How.GONE),
}
"""Signatures of witnesses only add to a proof: without one it is under a later head."""

_SUMS: Final = ["payouts_account", "payouts_dailybets", "payouts_dailyrounds"]
"""They change with every settlement, and follow from all of them."""


@pytest.fixture(scope="session")
def played(new_template: NewTemplate, casino_template: str) -> str:
    """The casino, once for all tests."""
    return new_template("tampered", play_everything, template=casino_template)


@pytest.fixture
def witnessed(played: str, copy_of: Callable[[str], str]) -> WitnessedHead:
    """A test's own casino, and the last head of its log as known outside."""
    copy_of(played)
    stored = TreeHead.objects.latest("sequence")
    return signed_head_of(stored)


def differences(witnessed: WitnessedHead, *, table: str = "") -> Iterator[list[str]]:
    """The differences that each check of the command finds; first the one meant for the table."""

    def trail(report: Report) -> None:
        verify_trail(report=lambda fault: report(fault_message(fault)), witnessed=witnessed)

    declared = declarations("trail_checks", "CHECKS")
    checks = [trail, *(check for _name, checks in declared for check in checks)]
    meant = verify_facts_and_money if table in (*_FACTS, *_SUMS) else trail
    for check in sorted(checks, key=lambda check: (check is not meant, check is not trail)):
        reported: list[str] = []
        check(reported.append)
        yield reported


class Tried(NamedTuple):
    """A change that a table accepted, and whether it was found."""

    made: Made
    is_found: bool


def tried(
    changes: Iterable[Change], witnessed: WitnessedHead, *, chance: random.Random
) -> Iterator[Tried]:
    """Each of these changes that a table takes, made alone and taken back."""
    for change in changes:
        with transaction.atomic():
            changed = change.make(chance)
            is_found = changed is not None and any(differences(witnessed, table=change.table))
            transaction.set_rollback(True)
        if changed is not None:
            yield Tried(changed, is_found)


class TestWhatIsAudited:
    def test_is_every_append_only_table(self) -> None:
        """Other tables hold no facts: work lists, states of jobs, sums, sessions, logins."""
        only_added_to = [
            model._meta.db_table for model in apps.get_models() if is_append_only(model)
        ]

        assert sorted(only_added_to) == APPEND_ONLY


class TestAnUntouchedCasino:
    @pytest.mark.slow
    def test_has_no_difference(self, witnessed: WitnessedHead) -> None:
        """And has a row in every audited table, but for the mark of a sandbox."""
        with transaction.atomic():
            assert not any(list(differences(witnessed)))

        audited = [model for model in apps.get_models() if model._meta.db_table in APPEND_ONLY]
        empty = [model for model in audited if not model._default_manager.exists()]
        assert empty == [SandboxStart]


class TestASingleChange:
    @pytest.mark.parametrize("share", [0.02, pytest.param(1.0, marks=pytest.mark.slow)])
    def test_of_any_column_of_facts_and_money_is_found(
        self, witnessed: WitnessedHead, share: float
    ) -> None:
        """Each column, and a deleted row of each table; or a share of all.

        Including values of other rows and duplicated rows.
        """
        chance = random.Random(_SEED)
        further = chance.sample(further_changes_of(_FACTS), k=_FURTHER)
        changes = [*changes_of(_FACTS), *further]
        sample = chance.sample(changes, k=round(len(changes) * share))

        tries = list(tried(sample, witnessed, chance=chance))

        assert [attempt.made for attempt in tries if not attempt.is_found] == []
        refused = set(changes_of(_FACTS)) & set(sample) - {attempt.made.change for attempt in tries}
        assert refused == {_NOT_ONE_LATER} & set(sample)

    @pytest.mark.parametrize("share", [0.1, pytest.param(1.0, marks=pytest.mark.slow)])
    def test_of_a_sum_is_found(self, witnessed: WitnessedHead, share: float) -> None:
        """Each column but one: the stripes over which a sum is spread do not matter."""
        chance = random.Random(_SEED)
        changes = [change for change in changes_of(_SUMS) if change.column != "stripe"]
        sample = chance.sample(changes, k=ceil(len(changes) * share))

        tries = list(tried(sample, witnessed, chance=chance))

        assert [attempt.made for attempt in tries if not attempt.is_found] == []

    @pytest.mark.slow
    @pytest.mark.timeout(2400)
    @pytest.mark.parametrize("seed", [_SEED])
    def test_of_anything_is_found(self, witnessed: WitnessedHead, seed: int) -> None:
        """A thousand changes of all tables: other values, values of other rows, NULLs, copies."""
        chance = random.Random(seed)
        every = changes_of(APPEND_ONLY) + further_changes_of(APPEND_ONLY)
        kinds = [change for change in every if change not in _WITHOUT_EFFECT]
        endless = iter(lambda: chance.choice(kinds), None)

        tries = islice(tried(endless, witnessed, chance=chance), repeated(1_000))

        assert [attempt.made for attempt in tries if not attempt.is_found] == []
