"""Pages of listed origins call the API from customers' browsers (issue 21)."""

from typing import Any, Final

import pytest
from django.test import Client
from pytest_django import Settings

from tests.casino.api.api_client import Program, a_customer, customer_token

pytestmark = pytest.mark.django_db

SHOP: Final = "https://www.casino.example"
ALLOW: Final = "Access-Control-Allow-Origin"


@pytest.fixture(autouse=True)
def _listed(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [SHOP]


def preflight(origin: str, path: str = "/api/v1/disputes") -> Any:
    """What a browser sends before a POST with a token."""
    preflight = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    }
    return Client().options(path, headers=preflight)


class TestAListedOrigin:
    def test_may_send_what_customers_send(self) -> None:
        """Methods and headers of customers' calls, and no cookies."""
        answer = preflight(SHOP)

        assert (answer.status_code, answer.headers[ALLOW]) == (200, SHOP)
        assert answer.headers["Access-Control-Allow-Methods"] == "GET, POST"
        allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
        assert {"authorization", "content-type", "idempotency-key", "if-match"} <= set(allowed)
        assert "Access-Control-Allow-Credentials" not in answer.headers

    @pytest.mark.parametrize(("path", "status"), [("me", 200), ("rounds?limit=x", 422)])
    def test_reads_answers_and_problems(self, path: str, status: int) -> None:
        """With the headers that a client acts on."""
        program = Program(customer_token(a_customer().pseudonym))

        answer = program.get(f"/api/v1/{path}", Origin=SHOP)

        assert (answer.status_code, answer.headers[ALLOW]) == (status, SHOP)
        assert "Origin" in answer.headers["Vary"].title()
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "RateLimit", "Request-Id", "Retry-After"} <= set(exposed)

    def test_reads_no_pages(self) -> None:
        """Only the API."""
        assert ALLOW not in preflight(SHOP, "/admin/").headers


@pytest.mark.parametrize("origin", ["https://casino.example", f"{SHOP}.evil.example", "null"])
def test_another_origin_gets_no_permission(origin: str) -> None:
    """Neither before a call nor with its answer."""
    program = Program(customer_token(a_customer().pseudonym))

    answers = [preflight(origin), program.get("/api/v1/me", Origin=origin)]

    assert all(ALLOW not in answer.headers for answer in answers)


def test_no_origin_is_listed_by_default(settings: Settings) -> None:
    """An installation lists its own."""
    assert settings.CUSTOMER_ORIGINS == []
