"""SCIM by an independent client: every check of scim2-tester against a running server."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from httpx2 import Client

from tests.casino.api.scim.directories import ROLES, directory_key
from tests.casino.api.web_server import serving

_NEEDS_A_NEW_GROUP: Final = {
    "object_creation",
    "object_query",
    "object_query_without_id",
    "object_query_with_attributes",
    "object_list_with_attributes",
    "search_with_attributes",
    "object_replacement",
    "object_deletion",
    "check_add_attribute",
    "check_remove_attribute",
    "check_replace_attribute",
}
"""Checks of groups begin with a new group; here DIRECTORY_ROLES declares them, and a directory
that could make one could give itself a role. ``test_groups.py`` covers reading and members."""

_NOT_SUPPORTED: Final = {("User", "search_with_attributes")}
"""POST /.search over several kinds of resources, which is optional and answered by 501."""


@pytest.mark.slow  # the tests beside this one prove the same calls, by the client of the tests
def test_scim2_tester_finds_nothing_else(
    fresh_casino: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its checks succeed but those that are listed above, with the reason."""
    from scim2_client.engines.httpx2 import (  # noqa: PLC0415  three seconds of each worker
        SyncSCIMClient,
    )
    from scim2_tester import Status, check_server  # noqa: PLC0415  three seconds of each worker

    monkeypatch.setenv("DIRECTORY_ROLES", ",".join(ROLES))
    token = directory_key(calls_per_minute=10_000).token
    headers = {"Authorization": f"Bearer {token}"}

    with (
        serving(tmp_path, processes=1) as (address, _pid),
        Client(base_url=f"{address}/scim/v2", headers=headers) as http,
    ):
        results = check_server(SyncSCIMClient(http))

    others = {
        (result.resource_type, result.title): result.reason
        for result in results
        if result.status is not Status.SUCCESS
    }
    groups = {("Group", check) for check in _NEEDS_A_NEW_GROUP}
    assert {check: others[check] for check in others.keys() - groups - _NOT_SUPPORTED} == {}
    assert groups | _NOT_SUPPORTED == others.keys()
    assert all("DIRECTORY_ROLES declares" in str(others[check]) for check in groups)
    assert Counter(result.status for result in results)[Status.SUCCESS] > 40
