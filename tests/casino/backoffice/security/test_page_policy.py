"""What browsers are told about each response."""

import pytest
from django.test import Client
from pytest_django import Settings

from casino.page_policy import page_policy
from tests.casino.backoffice.conftest import person

_PAGE = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


@pytest.mark.django_db
class TestEveryResponse:
    @pytest.mark.parametrize(
        ("at", "status"), [("/admin/", 200), ("/nowhere/", 404), ("/replay/none/", 404)]
    )
    def test_of_pages_runs_files_of_ours_only(self, at: str, status: int) -> None:
        """No inline script or style, nothing evaluated, no frames, no other hosts."""
        browser = Client()
        browser.force_login(person("supervisor"))

        answer = browser.get(at)
        policy = set(answer["Content-Security-Policy"].split("; "))

        assert answer.status_code == status
        assert policy - {"connect-src 'none'", "form-action 'none'"} <= _PAGE
        assert {"default-src 'none'", "script-src 'self'", "style-src 'self'"} <= policy
        assert "unsafe" not in answer["Content-Security-Policy"]

    @pytest.mark.parametrize("at", ["/api/v1/", "/api/v1/rounds", "/api/v1/nowhere"])
    def test_of_the_api_runs_nothing(self, at: str) -> None:
        """With a problem as well."""
        answer = Client().get(at)

        assert answer["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert answer["Cache-Control"] == "no-store"

    def test_is_covered_though_no_view_made_it(self, settings: Settings) -> None:
        """Probes, and answers to a browser that asks for leave to call the API."""
        settings.CORS_ALLOWED_ORIGINS = ["https://shop.example"]
        settings.SECURE_HSTS_SECONDS = 31_536_000
        leave = {"Origin": "https://shop.example", "Access-Control-Request-Method": "POST"}
        browser = Client()

        answers = [
            browser.get("/livez", secure=True),
            browser.options("/api/v1/rounds", headers=leave, secure=True),
        ]

        assert [answer.status_code for answer in answers] == [200, 200]
        for answer in answers:
            assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
            assert answer["X-Content-Type-Options"] == "nosniff"
            assert answer["Strict-Transport-Security"].startswith("max-age=31536000")

    @pytest.mark.parametrize("at", ["/admin/login/", "/admin/", "/api/v1/", "/nowhere/"])
    def test_stays_with_us(self, at: str) -> None:
        """Not in caches, not in pages of others, without sensors of the device."""
        answer = Client().get(at)

        assert "no-store" in answer["Cache-Control"]
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer["Referrer-Policy"] in {"same-origin", "no-referrer"}
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert "camera=()" in answer["Permissions-Policy"]


def test_a_view_replaces_single_directives() -> None:
    """No source at all is none, not every one."""
    policy = page_policy(media_src=[], font_src=["'self'", "data:"])

    assert "media-src 'none'" in policy
    assert "font-src 'self' data:;" in policy
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
