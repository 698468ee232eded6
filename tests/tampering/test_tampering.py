"""Whatever a superuser changes with the triggers off, ``verify_trail`` finds; nothing else.

Every column of every table that is audited, one change at a time (issue 6). The trail's own tables
and the bundles have tests of their own beside this one (``test_verify_log``, ``test_kept_rows``,
``test_verify_bundle``).
"""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

import pytest
from django.apps import apps
from django.db import transaction

from casino.grants import is_append_only
from compliance.trail.appending import head_of
from compliance.trail.beside import verify_beside
from compliance.trail.heads import Head
from compliance.trail.kept import kept_models
from compliance.trail.models import TreeHead
from compliance.trail.verify_log import verify_trail
from compliance.trail.wording import fault_words
from tests.compliance.changes import Change, Made, changes_of, further_changes_of
from tests.compliance.test_append_only import APPEND_ONLY
from tests.conftest import NewTemplate
from tests.tampering.casino import play_everything

_SEED: Final = 20261122
_FURTHER: Final = 40
_KEPT: Final = {model._meta.db_table for model in kept_models()}
_FACTS: Final = [
    table
    for table in APPEND_ONLY
    if table not in _KEPT and not table.startswith(("trail_", "exports_"))
]
"""Rounds, settlements and transfers: they follow from each other and from the records."""

_SUMS: Final = ["payouts_account", "payouts_dailybets", "payouts_dailyrounds"]
"""They change with every settlement, and follow from all of them."""


@pytest.fixture(scope="session")
def played(new_template: NewTemplate, casino_template: str) -> str:
    """The casino, once for all tests."""
    return new_template("tampered", play_everything, template=casino_template)


@pytest.fixture
def witnessed(played: str, copy_of: Callable[[str], str]) -> tuple[Head, bytes]:
    """A casino of the test's own, and the last head of its log as somebody outside keeps it."""
    copy_of(played)
    stored = TreeHead.objects.latest("sequence")
    return head_of(stored), bytes(stored.signature)


def wrong(witnessed: tuple[Head, bytes], *, table: str = "") -> Iterator[list[str]]:
    """What the command finds, by the halves of its work; first that in which the table belongs."""

    def trail() -> list[str]:
        found: list[str] = []
        verify_trail(report=lambda one: found.append(fault_words(one)), witnessed=witnessed)
        return found

    def books() -> list[str]:
        found: list[str] = []
        verify_beside(found.append)
        return found

    halves = (books, trail) if table in (*_FACTS, *_SUMS) else (trail, books)
    return (half() for half in halves)


class Tried(NamedTuple):
    """A change that a table took, and whether it was found."""

    made: Made
    is_found: bool


def tried(
    changes: Iterable[Change], witnessed: tuple[Head, bytes], *, chance: random.Random
) -> Iterator[Tried]:
    """Each of these changes that a table takes, made alone and taken back."""
    for change in changes:
        with transaction.atomic():
            made = change.make(chance)
            is_found = made is not None and any(wrong(witnessed, table=change.table))
            transaction.set_rollback(True)
        if made is not None:
            yield Tried(made, is_found)


class TestWhatIsAudited:
    def test_is_every_table_that_is_only_added_to(self) -> None:
        """What may change is no fact: work lists, states of jobs, sums, sessions, logins."""
        only_added_to = [
            model._meta.db_table for model in apps.get_models() if is_append_only(model)
        ]

        assert sorted(only_added_to) == APPEND_ONLY


class TestAnUntouchedCasino:
    def test_has_nothing_wrong(self, witnessed: tuple[Head, bytes]) -> None:
        """And has a row in every table that is audited."""
        with transaction.atomic():
            assert list(wrong(witnessed)) == [[], []]

        audited = [model for model in apps.get_models() if model._meta.db_table in APPEND_ONLY]
        assert [model for model in audited if not model._default_manager.exists()] == []


class TestASingleChange:
    def test_of_any_column_of_facts_and_money_is_found(self, witnessed: tuple[Head, bytes]) -> None:
        """Each column, a row of each table taken out; values of other rows, rows again."""
        chance = random.Random(_SEED)
        further = chance.sample(further_changes_of(_FACTS), k=_FURTHER)

        tries = list(tried([*changes_of(_FACTS), *further], witnessed, chance=chance))

        assert [one.made for one in tries if not one.is_found] == []
        refused = set(changes_of(_FACTS)) - {one.made.change for one in tries}
        assert refused == {Change("payouts_transfer", "reverses_entry")}  # not one later

    def test_of_a_sum_is_found(self, witnessed: tuple[Head, bytes]) -> None:
        """Each column but one: over which stripes a sum is spread decides nothing."""
        changes = [one for one in changes_of(_SUMS) if one.column != "stripe"]

        tries = list(tried(changes, witnessed, chance=random.Random(_SEED)))

        assert [one.made for one in tries if not one.is_found] == []

    @pytest.mark.slow
    @pytest.mark.timeout(2400)
    @pytest.mark.parametrize("seed", [_SEED])
    def test_of_anything_is_found(self, witnessed: tuple[Head, bytes], seed: int) -> None:
        """A thousand, over all tables: other values, values of other rows, none, rows again."""
        chance = random.Random(seed)
        kinds = changes_of(APPEND_ONLY) + further_changes_of(APPEND_ONLY)
        endless = iter(lambda: chance.choice(kinds), None)

        tries = islice(tried(endless, witnessed, chance=chance), 1_000)

        assert [one.made for one in tries if not one.is_found] == []
