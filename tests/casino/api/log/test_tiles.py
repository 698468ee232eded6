"""The log over HTTP: its checkpoint, and tiles of its hashes."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

import pytest
from django.test import Client
from django.urls import resolve, reverse
from pytest_django import Settings

from compliance.trail.log.merkle_tree import HASH_BYTES, root_of
from compliance.trail.models import AuditRecord, TreeHead
from tests.compliance.trail.logs import append, tamper, write
from tests.compliance.trail.lost_logs import continued, lose, signing_persons

pytestmark = pytest.mark.django_db

_SIZE: Final = 571
_TILES: Final = ("0/000", "0/001", "0/002.p/59", "1/000.p/2")


@pytest.fixture
def log() -> TreeHead:
    """A log of 571 records."""
    tamper("DELETE FROM trail_pendingrow")
    for size in (1, 300, 270):
        write(size)
    append()
    return TreeHead.objects.get()


def _hashes(client: Client, name: str) -> list[bytes]:
    content = client.get(f"/log/tile/{name}").content
    return [content[place : place + HASH_BYTES] for place in range(0, len(content), HASH_BYTES)]


class TestTiles:
    def test_are_the_whole_tree(self, client: Client, log: TreeHead) -> None:
        """Its leaves give the root, and those of each full tile the hash of the level above."""
        first, second, rest, above = (_hashes(client, name) for name in _TILES)

        assert [len(tile) for tile in (first, second, rest, above)] == [256, 256, 59, 2]
        assert root_of([*first, *second, *rest]) == bytes(log.root)
        assert [root_of(first), root_of(second)] == above
        records = AuditRecord.objects.values_list("leaf", flat=True)
        assert {*map(bytes, records)} == {*first, *second, *rest}

    def test_are_kept_by_whoever_read_them(self, client: Client, log: TreeHead) -> None:
        """They never change; the checkpoint does. Pages of other sites may read both."""
        tile, checkpoint = client.get("/log/tile/0/000"), client.get("/log/checkpoint")

        assert tile.headers["Content-Type"] == "application/octet-stream"
        assert "immutable" in tile.headers["Cache-Control"]
        assert checkpoint.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert checkpoint.headers["Cache-Control"] == "public, max-age=1"
        assert checkpoint.text.split("\n")[1] == str(_SIZE)
        for answer in (tile, checkpoint):
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            assert not answer.cookies
            assert "Vary" not in answer.headers  # one copy in a cache serves everybody

    @pytest.mark.parametrize(
        "name",
        [
            *("0/002", "0/002.p/60", "0/003.p/1", "1/000", "1/000.p/3", "2/000.p/1", "63/000"),
            *("64/000", "00/000", "0/0", "0/1000", "0/000.p/0", "0/000.p/256", "0/000.p/01"),
            *("0/x999/x999/x999/x999/x999/999", "entries/000", "0/x001/x234/067", "0/000/"),
        ],
    )
    def test_beyond_the_log_are_not_there(self, client: Client, log: TreeHead, name: str) -> None:
        """Nor under other names, nor the records."""
        assert client.get(f"/log/tile/{name}").status_code == 404

    def test_are_there_once_the_log_has_an_origin(self, client: Client, settings: Settings) -> None:
        """Nothing is public before an operator says so."""
        settings.LOG_ORIGIN = ""
        write(300)
        append()

        for name in ("checkpoint", "tile/0/000"):
            assert client.get(f"/log/{name}").status_code == 404

    def test_take_no_post(self, client: Client, log: TreeHead) -> None:
        """They are read."""
        assert client.post("/log/checkpoint").status_code == 405

    def test_need_few_queries(
        self,
        client: Client,
        log: TreeHead,
        django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]],
    ) -> None:
        """The same for 256 hashes as for one."""
        with django_assert_max_num_queries(6):
            client.get("/log/tile/0/001")


class TestAnAddress:
    @pytest.mark.parametrize("place", ["0/000", "3/x001/x234/067.p/9", "63/x001/000.p/255"])
    def test_is_that_of_its_tile(self, place: str) -> None:
        """Both ways; the second is the example of the specification."""
        tile = resolve(f"/log/tile/{place}").kwargs["tile"]

        assert reverse("log_tile", args=[tile]) == f"/log/tile/{place}"


class TestALogWithAGap:
    def test_has_no_tile_of_lost_leaves(self, client: Client) -> None:
        """The others are there, and the checkpoint goes on."""
        signing_persons()
        tamper("DELETE FROM trail_pendingrow")
        witnessed = lose(600, after=[300])
        head = continued(witnessed).head

        found = [client.get(f"/log/tile/0/{n:03}").status_code for n in range(3)]
        assert found == [200, 404, 404]
        assert client.get("/log/checkpoint").text.split("\n")[1] == str(head.size)
