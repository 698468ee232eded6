"""Aborted transactions are retried, a limited number of times."""

from threading import Thread

import psycopg
import pytest
from django.db import OperationalError, connection, connections, transaction

from compliance.storage.conflict_retry import retry_on_conflict
from payouts.ledger.models import Account
from payouts.ledger.post_transfers import no_changes, post_transfers
from rounds.models import Customer


def fail_with(code: str) -> None:
    """A database error with this SQLSTATE."""
    with connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'so' USING ERRCODE = '{code}'; END $$")


class Tried:
    """An action that fails this often and counts its attempts."""

    def __init__(self, *, failures: int, code: str) -> None:
        self.tries, self._failures, self._code = 0, failures, code

    def __call__(self) -> int:
        """Returns the number of the successful attempt."""
        self.tries += 1
        Customer.objects.create(pseudonym=f"try {self.tries}")
        if self.tries <= self._failures:
            fail_with(self._code)
        return self.tries


@pytest.mark.django_db
class TestAnAction:
    @pytest.mark.parametrize("code", ["40P01", "40001"])
    def test_that_collides_is_retried(self, code: str) -> None:
        """After deadlocks and serialization failures, which are rolled back."""
        action = Tried(failures=4, code=code)

        assert retry_on_conflict(action) == 5
        assert list(Customer.objects.values_list("pseudonym", flat=True)) == ["try 5"]

    def test_is_retried_four_times(self) -> None:
        """The fifth failure is raised."""
        action = Tried(failures=9, code="40P01")

        with pytest.raises(OperationalError, match="so"):
            retry_on_conflict(action)

        assert (action.tries, Customer.objects.count()) == (5, 0)

    def test_that_fails_otherwise_is_not_retried(self) -> None:
        """Cancelled queries, shutdowns."""
        action = Tried(failures=1, code="57014")

        with pytest.raises(OperationalError):
            retry_on_conflict(action)

        assert action.tries == 1


class TestTwoWhoWaitForEachOther:
    @pytest.mark.slow
    def test_both_come_through(self, fresh_casino: str) -> None:
        """One transaction is aborted by the deadlock and retried."""
        first, second = -1, -3  # the wallet, the stakes held
        changes = no_changes()
        changes.update({first: -100, second: 100})
        with transaction.atomic():
            post_transfers([], changes)
        with psycopg.connect(fresh_casino) as other:
            other.execute("SET deadlock_timeout = '1min'")  # so that the other one is broken off
            other.execute(change(first))
            tries: list[int] = []
            mover = Thread(target=move_backwards, args=(tries, second, first))
            mover.start()
            wait_for_a_lock(other)

            other.execute(change(second))
            other.commit()
            mover.join()

        assert len(tries) >= 2  # on a busy machine they may meet once more
        accounts = Account.objects.order_by("-id").values_list("id", "balance_cents")
        assert list(accounts) == [(first, -80), (second, 120)]


def change(account: int) -> str:
    """Adds ten cents."""
    return f"UPDATE payouts_account SET balance_cents = balance_cents + 10 WHERE id = {account}"


def move_backwards(tries: list[int], *accounts: int) -> None:
    """Adds ten cents to each account in reverse order, in a thread."""

    def move() -> None:
        tries.append(len(tries))
        with connection.cursor() as cursor:
            for account in accounts:
                cursor.execute(change(account))

    try:
        retry_on_conflict(move)
    finally:
        connections.close_all()


def wait_for_a_lock(watcher: "psycopg.Connection[tuple[int]]") -> None:
    """Returns when another connection waits for a lock."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    while watcher.execute(waiting).fetchone() == (0,):
        pass
