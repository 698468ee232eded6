"""SCIM by an independent client: every check of scim2-tester against a running server."""

from collections import Counter
from pathlib import Path

import pytest
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

from tests.casino.api.scim.directories import ROLES, directory_key
from tests.casino.api.web_server import serving


def test_scim2_tester_finds_nothing(
    fresh_casino: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIRECTORY_ROLES", ",".join(ROLES))
    token = directory_key(calls_per_minute=10_000).token
    with serving(tmp_path, processes=1) as (address, _pid):
        http = Client(
            base_url=f"{address}/scim/v2", headers={"Authorization": f"Bearer {token}"}
        )
        results = check_server(SyncSCIMClient(http))

    for r in results:
        if r.status not in (Status.SUCCESS,):
            print(r.status, r.title, r.resource_type, r.reason)
    print(Counter(r.status for r in results))
    assert 0
