"""Tokens of a sandbox and of a casino: each is refused by the other."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytest_django import Settings

from casino.devserver.demo import make_api_token
from casino.integrations.events.representation import ping_body
from casino.integrations.tokens import new_token
from compliance.trail.actor import Actor
from tests.casino.api.api_client import Program, customer_token, issued, json_of, slug_of
from tests.casino_in_play import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("customer")]

ME = "/api/v1/me"


class TestAToken:
    @pytest.mark.parametrize(("is_sandbox", "mode"), [(False, "live"), (True, "test")])
    def test_begins_with_its_kind_of_installation(
        self, settings: Settings, is_sandbox: bool, mode: str
    ) -> None:
        """That of a key and that of a customer; both calls say it, too."""
        settings.SANDBOX = is_sandbox

        for token in (issued().token, customer_token("p-1")):
            assert token.startswith(f"sabot_{mode}_")
            assert json_of(Program(token).get(ME))["sandbox"] is is_sandbox
        assert json_of(Program("").get("/api/v1/"))["sandbox"] is is_sandbox

    @pytest.mark.parametrize(
        ("is_sandbox", "found", "needed"),
        [
            (False, "live", "test"),
            (True, "test", "live"),
        ],
    )
    def test_of_the_other_kind_is_refused(
        self, settings: Settings, is_sandbox: bool, found: str, needed: str
    ) -> None:
        """Whether or not its key exists, and the answer says what was found and what is needed."""
        settings.SANDBOX = is_sandbox
        known, unknown = issued(), new_token("xxxxxxxxxxxx").text
        settings.SANDBOX = not is_sandbox

        answers = [Program(token).get(ME) for token in (known.token, unknown)]

        assert [(answer.status_code, slug_of(answer)) for answer in answers] == [
            (401, "key-of-other-mode")
        ] * 2
        first, second = ({**json_of(answer), "instance": ""} for answer in answers)
        assert first == second
        assert first["errors"] == [
            {
                "field": "header:Authorization",
                "found": f"Bearer sabot_{found}_…",
                "needed": f"Bearer sabot_{needed}_…",
            }
        ]

    def test_that_is_malformed_gets_the_answer_of_a_stranger(self, settings: Settings) -> None:
        """In a sandbox as elsewhere."""
        settings.SANDBOX = True

        answer = Program("sabot_live_x_y").get(ME)

        assert (answer.status_code, slug_of(answer)) == (401, "key-unknown")

    def test_of_an_earlier_demo_is_replaced(self, settings: Settings, tmp_path: Path) -> None:
        """Its demo is a sandbox now, and its key remains."""
        file, actor = tmp_path / "api-token", Actor("demo")
        earlier = make_api_token(file=file, at=NOW, actor=actor)

        settings.SANDBOX = True
        token = make_api_token(file=file, at=NOW, actor=actor)

        assert earlier.startswith("sabot_live_")
        assert token.startswith("sabot_test_")
        assert make_api_token(file=file, at=NOW, actor=actor) == token


@pytest.mark.parametrize("is_sandbox", [False, True])
def test_a_ping_says_where_it_comes_from(settings: Settings, is_sandbox: bool) -> None:
    """As events do (test_reset_sandbox)."""
    settings.SANDBOX = is_sandbox

    ping = json.loads(ping_body(webhook="w", at=datetime(2026, 1, 1, tzinfo=UTC)))

    assert ping["sandbox"] is is_sandbox
