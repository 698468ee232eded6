"""Two requests of a directory at once do not close two of three administrators."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillWaiting
from pathlib import Path

import psycopg
import pytest
import requests
from django.contrib.auth.models import User

from tests.casino.api.scim.conftest import managed
from tests.casino.api.scim.directories import USERS, directory_key, patch
from tests.casino.api.web_server import served

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('changes of a directory', 0))"
_WAITS = 1.0  # seconds; an answer takes a tenth


@pytest.fixture
def site(fresh_casino: str, tmp_path: Path) -> Iterator[str]:
    """A running server."""
    with served(tmp_path, processes=2) as address:
        yield address


@pytest.mark.slow
def test_the_second_sees_what_the_first_has_done(site: str, fresh_casino: str) -> None:
    """The first has closed Ada and not committed: the second waits, and is refused."""
    ada, bruno, _carla = (managed(name, "administrator") for name in ("ada", "bruno", "carla"))
    headers = {"Authorization": f"Bearer {directory_key().token}"}
    leaves = patch({"op": "replace", "path": "active", "value": False})

    with ThreadPoolExecutor(1) as pool, psycopg.connect(fresh_casino) as first:
        first.execute(_LOCK)
        first.execute("UPDATE auth_user SET is_active = false WHERE id = %s", [ada.pk])
        second: Future[requests.Response] = pool.submit(
            requests.patch, f"{site}{USERS}/{bruno.pk}", json=leaves, headers=headers, timeout=60
        )
        with pytest.raises(StillWaiting):
            second.result(_WAITS)
        first.commit()
        answer = second.result(60)

    assert answer.status_code == 403, answer.text
    assert User.objects.filter(is_active=True, groups__name="administrator").count() == 2
