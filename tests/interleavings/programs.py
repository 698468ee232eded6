"""Small planted programs on a table of two accounts, right and wrong ones."""

from django.db import connection, transaction

SCRATCH = """
    DROP TABLE IF EXISTS account, note;
    CREATE TABLE account (id int PRIMARY KEY, cents int NOT NULL);
    CREATE TABLE note (id serial PRIMARY KEY, account_id int UNIQUE
        REFERENCES account DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO account VALUES (1, 100), (2, 100)
"""


def query(statement: str) -> list[tuple[int, ...]]:
    """Runs a statement; gives its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []


def withdraw(*, lock: str) -> str:
    """Takes 80 cents if there are so many, computed here."""
    with transaction.atomic():
        [(cents,)] = query(f"SELECT cents FROM account WHERE id = 1 {lock}")
        if cents < 80:
            return "refused"
        query(f"UPDATE account SET cents = {cents - 80} WHERE id = 1")
    return "paid"


def withdraw_of_both(number: int) -> str:
    """Takes 150 cents from one of two accounts that together have to keep 0."""
    with transaction.atomic():
        query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        [(cents,)] = query("SELECT sum(cents) FROM account")
        if cents < 150:
            return "refused"
        query(f"UPDATE account SET cents = cents - 150 WHERE id = {number}")
    return "paid"


def read_twice(isolation: str) -> tuple[int, int]:
    """Reads the same row twice, with something else in between."""
    with transaction.atomic():
        query(f"SET TRANSACTION ISOLATION LEVEL {isolation}")
        query("SELECT count(*) FROM note")
        [(first,)] = query("SELECT cents FROM account WHERE id = 1")
        [(second,)] = query("SELECT cents FROM account WHERE id = 1")
    return first, second


def deposit(cents: int = 1) -> None:
    """Adds cents, without a transaction of its own."""
    query(f"UPDATE account SET cents = cents + {cents} WHERE id = 1")


def deposit_twice() -> None:
    """Adds 1 cent and then 10."""
    deposit(1)
    deposit(10)


def note_once() -> str:
    """Adds a note, unless there is one."""
    with transaction.atomic():
        added = query(
            "INSERT INTO note (account_id) VALUES (1) ON CONFLICT DO NOTHING RETURNING account_id"
        )
        [(notes,)] = query("SELECT count(*) FROM note")
    return f"{len(added)} of {notes}"


def add_note(account: int, *, keeps: bool = True) -> int:
    """Adds a note of this account, perhaps takes it back, and counts the notes."""
    with transaction.atomic():
        before = transaction.savepoint()
        query(f"INSERT INTO note (account_id) VALUES ({account})")
        if not keeps:
            transaction.savepoint_rollback(before)
        [(notes,)] = query("SELECT count(*) FROM note")
    return notes


def write_notes() -> list[tuple[int, ...]]:
    """Writes every note that it sees; returns their accounts."""
    return query("UPDATE note SET account_id = account_id RETURNING account_id")


def delete_account() -> str:
    """Deletes what a note may refer to."""
    with transaction.atomic():
        query("DELETE FROM account WHERE id = 1")
        query("SELECT count(*) FROM note")
    return "deleted"


def cross(first: int, second: int) -> str:
    """Locks both accounts, in an order that may deadlock with another's."""
    with transaction.atomic():
        query(f"UPDATE account SET cents = cents + 1 WHERE id = {first}")
        query(f"UPDATE account SET cents = cents * 2 WHERE id = {second}")
    return "done"


def with_lock_by_name() -> str:
    """Withdraws under an advisory lock."""
    with transaction.atomic():
        query("SELECT pg_advisory_xact_lock(7)")
        [(cents,)] = query("SELECT cents FROM account WHERE id = 1")
        if cents < 80:
            return "refused"
        query(f"UPDATE account SET cents = {cents - 80} WHERE id = 1")
    return "paid"


def try_lock() -> str:
    """Does nothing while another has the lock."""
    with transaction.atomic():
        [(is_mine,)] = query("SELECT pg_try_advisory_xact_lock(7)")
        if is_mine:
            query("UPDATE account SET cents = cents + 1 WHERE id = 1")
    return "mine" if is_mine else "another's"


def skip_locked() -> str:
    """Takes the first account that nobody has locked."""
    with transaction.atomic():
        found = query("SELECT id FROM account ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED")
        if found:
            query(f"UPDATE account SET cents = cents - 1 WHERE id = {found[0][0]}")
    return str(found)


def taken_back() -> str:
    """Writes within a savepoint that is rolled back, then looks."""
    with transaction.atomic():
        before = transaction.savepoint()
        query("UPDATE account SET cents = 0 WHERE id = 1")
        transaction.savepoint_rollback(before)
        [(cents,)] = query("SELECT cents FROM account WHERE id = 1")
    return str(cents)
