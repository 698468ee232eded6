"""A worker that was taken over invents no round and signs nothing for the regulator."""

from collections.abc import Callable

import pytest

from casino.embedded.addresses import ROLE
from compliance.storage.database_roles.role import DatabaseRole
from tests.attacks.attempts import Connection, changes, inserts, obeyed, refusal

FACTS_OF_ROUNDS = ("rounds_round", "rounds_bet", "rounds_roundname", "rounds_customer")
ACCESS = (
    "auth_user",
    "auth_user_groups",
    "mfa_authenticator",
    "casino_opensession",
    "casino_accessdecision",
    "api_apikey",
    "api_keysecret",
)
DECISIONS = ("certification_weightset", "certification_weightsetapproval", "rounds_stakelimit")
REGULATOR = ("exports_bundle", "exports_bundlestep", "exports_dossier", "exports_rulecertificate")

REFUSED = {"P0001", "22004"}
"""RAISE EXCEPTION, and that of a statement made of nothing."""


@pytest.fixture
def worker(connect: Callable[[DatabaseRole], Connection]) -> Connection:
    """A connection of the worker role."""
    return connect(DatabaseRole.WORKER)


@pytest.mark.parametrize("tables", [FACTS_OF_ROUNDS, ACCESS, DECISIONS, REGULATOR])
def test_writes_only_what_is_its_own(worker: Connection, tables: tuple[str, ...]) -> None:
    """No rounds, accounts, decisions of persons or bundles."""
    attempts = [statement for table in tables for statement in changes(worker, table)]

    assert obeyed(worker, [*attempts, *map(inserts, tables)]) == []


def test_reads_no_secrets(worker: Connection) -> None:
    """Second factors and sessions are for web processes."""
    assert obeyed(worker, ["SELECT FROM mfa_authenticator", "SELECT FROM casino_opensession"]) == []


@pytest.mark.parametrize(
    "arguments",
    [
        "'mine', 2031, 5",
        "'pg_temp.mine', 2031, 5",
        "'payouts_case', 2031, 5",
        "'rounds_bet; DROP TABLE rounds_bet', 2031, 5",
        "'rounds_bet', 2031, 13",
        "'rounds_bet', 1969, 12",
        "'rounds_bet', 10000, 1",
        "NULL, 2031, 5",
        "'rounds_bet', NULL, 5",
    ],
)
def test_makes_nothing_but_months(worker: Connection, arguments: str) -> None:
    """The function with the owner's rights checks its arguments."""
    worker.execute("CREATE TEMP TABLE mine (id uuid) PARTITION BY RANGE (id)")

    assert refusal(worker, f"SELECT trail_make_partition({arguments})") in REFUSED


def test_cannot_have_the_owner_call_its_functions(worker: Connection) -> None:
    """Neither operators, functions nor tables of the caller's are found first."""
    worker.execute(
        "CREATE FUNCTION pg_temp.format(text, VARIADIC text[]) RETURNS text"
        " LANGUAGE sql AS $$ SELECT 'ALTER ROLE sabot_worker SUPERUSER' $$"
    )
    worker.execute(
        "CREATE FUNCTION pg_temp.to_regclass(text) RETURNS regclass"
        " LANGUAGE sql AS $$ SELECT 'payouts_case'::regclass $$"
    )
    worker.execute("CREATE TEMP TABLE pg_partitioned_table AS TABLE pg_class")
    worker.execute("SET search_path = pg_temp, public, pg_catalog")

    worker.execute("SELECT public.trail_make_partition('rounds_bet', 2031, 5)")

    roles = worker.execute(
        "SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user"
    ).fetchone()
    owner = worker.execute(
        "SELECT pg_catalog.pg_get_userbyid(relowner) FROM pg_catalog.pg_class"
        " WHERE relname = 'rounds_bet_2031_05'"
    ).fetchone()
    assert roles == (False,)
    assert owner == (ROLE,)
