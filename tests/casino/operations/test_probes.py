"""``/livez`` and ``/readyz``: what load balancers and monitors ask, and strangers may."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pytest
from django.db import connection
from django.http import HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory
from pytest_django import Settings

from casino.operations.checks.check_result import CheckResult, ok
from casino.operations.probes import KeptChecks, ProbeMiddleware
from tests.casino_in_play import list_rule_sets
from tests.databases import connected_to

PARTS: Final = {"database", "migrations", "sandbox", "rule_sets", "broker", "schema"}
NOWHERE: Final = "postgres://secret-role:secret-word@127.0.0.1:1/nowhere"


@pytest.fixture(autouse=True)
def _no_static_files(settings: Settings, tmp_path: Path) -> None:
    """WhiteNoise warns of a folder that is missing."""
    settings.STATIC_ROOT = tmp_path


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is."""
    monkeypatch.setattr("casino.operations.probes.PATIENCE_SECONDS", 120.0)


@pytest.fixture
def _ready(fresh_casino: str, broker: str) -> None:
    """An installation that lacks nothing."""
    list_rule_sets()


def ask(query: str = "") -> tuple[int, dict[str, Any], str]:
    """Status, the parts that fail by name, and the text, of a process that was not asked before."""
    return read(Client().get(f"/readyz{query}", headers={"host": "10.1.2.3"}))


def read(answer: HttpResponseBase) -> tuple[int, dict[str, Any], str]:
    """The same of an answer."""
    text = answer.getvalue().decode()
    parts = {part["part"]: part for part in json.loads(text)["parts"]}
    assert set(parts) <= PARTS
    failing = {name: part for name, part in parts.items() if part["state"] == "error"}
    return answer.status_code, failing, text


class TestLivez:
    def test_answers_without_a_database(self) -> None:
        """Nor a session, nor a host name that is served; pytest-django blocks the database."""
        answer = Client().get("/livez", headers={"host": "10.1.2.3"})

        assert (answer.status_code, answer.json()) == (200, {"status": "live"})
        assert answer["Cache-Control"] == "no-store"
        assert not answer.cookies

    def test_changes_nothing(self) -> None:
        """It is only read, as is the other one."""
        for address in ("/livez", "/readyz"):
            answer = Client().post(address)
            assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


@pytest.mark.usefixtures("_ready")
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
class TestReadyz:
    def test_is_ready(self) -> None:
        """And names every part."""
        status, failing, text = ask()

        assert (status, failing) == (200, {})
        assert all(f'"{part}"' in text for part in PARTS)

    def test_misses_the_database(self) -> None:
        """It says so without its address, role and password."""
        probe = ProbeMiddleware(lambda _request: HttpResponse())
        with connected_to(NOWHERE):
            status, failing, text = read(probe(RequestFactory().get("/readyz")))

        assert status == 503
        assert set(failing) == PARTS - {"broker"}
        assert (failing["database"]["found"], failing["database"]["needed"]) == (
            "no answer",
            "an answer",
        )
        assert not any(word in text for word in ("secret", "127.0.0.1", "nowhere"))

    def test_misses_a_migration(self, caplog: pytest.LogCaptureFixture) -> None:
        """By the table in which Django notes them. Whoever asks fills no log."""
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'rounds' AND name ~ '^0027'")

        status, failing, _text = ask()

        assert (status, set(failing)) == (503, {"migrations"})
        assert failing["migrations"]["found"] == "1 migrations that are not applied"
        assert not caplog.records

    def test_has_the_setting_of_a_sandbox(self, settings: Settings) -> None:
        """But not its database: this host is left out."""
        settings.SANDBOX = True

        status, failing, _text = ask()

        assert (status, set(failing)) == (503, {"sandbox", "schema"})

    def test_misses_a_guard(self) -> None:
        """A trigger that somebody disabled."""
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE payouts_casestep DISABLE TRIGGER ALL")

        status, failing, _text = ask()

        assert (status, set(failing)) == (503, {"schema"})
        assert failing["schema"]["needed"] == "none"

    def test_lets_a_newer_release_add_guards(self) -> None:
        """Else no host would be left between the migration and the upgrade of the hosts."""
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE TRIGGER newer BEFORE UPDATE ON payouts_casestep"
                " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"
            )
            status_before, failing, _text = ask()
            cursor.execute(
                "INSERT INTO django_migrations (app, name, applied)"
                " VALUES ('payouts', '9999_newer', now())"
            )

        status, none, text = ask()

        assert (status_before, set(failing)) == (503, {"schema"})
        assert (status, none) == (200, {})
        assert "the database is of a newer release" in text

    def test_says_that_it_drains(self, settings: Settings, tmp_path: Path) -> None:
        """As long as the file exists; the process still answers everything else."""
        settings.DRAIN_FILE = str(tmp_path / "drain")
        before, _failing, _text = ask()
        (tmp_path / "drain").touch()

        answer = Client().get("/readyz")
        live = Client().get("/livez")

        assert before == 200
        assert (answer.status_code, answer.json()["status"]) == (503, "draining")
        assert live.status_code == 200

    def test_misses_the_broker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It says so without its address and password."""
        monkeypatch.setenv("CELERY_BROKER_URL", "redis://:secret-word@127.0.0.1:1/0")

        status, failing, text = ask()

        assert (status, set(failing)) == (503, {"broker"})
        assert "secret" not in text


@pytest.mark.usefixtures("fresh_casino", "broker")
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_unsigned_rule_sets_can_be_left_out() -> None:
    """They are signed on the pages of a web host, which a proxy must not take away meanwhile."""
    status, failing, _text = ask()
    excluding, _none, _text = ask("?exclude=rule_sets")

    assert (status, set(failing)) == (503, {"rule_sets"})
    assert "baccarat/1" in failing["rule_sets"]["found"]
    assert excluding == 200


class TestKeptFindings:
    """A stranger who asks without an end makes no work."""

    @pytest.fixture
    def hangs(self) -> Iterator[Event]:
        """A check waits until it is set."""
        released = Event()
        yield released
        released.set()

    def test_are_made_once_for_many_requests(self) -> None:
        """Within the time for which they are kept."""
        made: list[int] = []
        kept = KeptChecks({"it": lambda: _made(made)}, keep_seconds=60, patience=5)

        found = [kept.results()["it"].found for _ in range(100)]

        assert (set(found), len(made)) == ({"as it should be"}, 1)

    def test_are_made_again_when_they_are_old(self) -> None:
        """By the next request, which gets them."""
        made: list[int] = []
        kept = KeptChecks({"it": lambda: _made(made)}, keep_seconds=0, patience=5)

        for _ in range(3):
            kept.results()

        assert len(made) == 3

    def test_of_a_check_that_hangs_keep_one_request_waiting(self, hangs: Event) -> None:
        """The others are told at once; none begins a second one."""
        made: list[int] = []

        def hang() -> CheckResult:
            hangs.wait()
            return _made(made)

        kept = KeptChecks({"it": hang}, keep_seconds=0, patience=0.5)
        first = Thread(target=kept.results)
        first.start()
        others = [kept.results()["it"].found for _ in range(50)]
        was_waiting = first.is_alive()
        first.join()
        hangs.set()

        assert set(others) == {"no answer within 0 s"}
        assert was_waiting
        assert len(made) <= 1


def _made(made: list[int]) -> CheckResult:
    made.append(1)
    return ok("as it should be", "this")
