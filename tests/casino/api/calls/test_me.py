"""A key reads its own scopes and limits (issue 21)."""

from datetime import UTC, datetime
from typing import Final

import pytest

from casino.integrations.scopes import OF_CUSTOMERS
from tests.casino.api.api_client import Program, a_customer, customer_token, issued, json_of
from tests.casino_in_play import open_table

pytestmark = pytest.mark.django_db

ME: Final = "/api/v1/me"


def test_a_program_reads_its_key() -> None:
    """What an administrator issued, and no secret."""
    open_table("bac-1")
    issued_at, expires_at = datetime(2026, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)
    issued_key = issued(
        scopes=["rounds:read"],
        tables=["bac-1"],
        calls_per_minute=7,
        at=issued_at,
        expires_at=expires_at,
    )

    answer = Program(issued_key.token).get(ME)

    assert json_of(answer) == {
        "handle": issued_key.key.handle,
        "kind": "customer_service",
        "owner": "Live Studio",
        "sandbox": False,
        "scopes": ["rounds:read"],
        "tables": ["bac-1"],
        "customer": None,
        "calls_per_minute": 7,
        "issued_at": "2026-01-01T00:00:00.000Z",
        "expires_at": "2999-01-01T00:00:00.000Z",
    }


def test_a_customers_token_reads_its_own() -> None:
    """Its pseudonym and the scopes of customers, not those of the key that issued it."""
    customer = a_customer("p-1")

    key = json_of(Program(customer_token(customer.pseudonym)).get(ME))

    assert (key["kind"], key["customer"]) == ("customer", "p-1")
    assert key["scopes"] == [scope.value for scope in OF_CUSTOMERS]
