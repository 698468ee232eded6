"""No tile that a witness needs can be changed unnoticed."""

import random
from typing import Final

import pytest

from compliance.trail.log.tiles import WIDTH
from compliance.trail.witnesses import witness
from tests.compliance.trail.witnesses.followed_log import Witness, grown
from tests.repetitions import repeated

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_any_changed_tile_is_refused(follower: Witness) -> None:
    """One bit, one hash or the length of a tile that the witness needs, at a time."""
    old = witness.opened(grown(1)["checkpoint"].decode(), [witness.Key.parse(follower.key)])
    files = grown(3 * WIDTH - 1 - old.size)
    new = witness.opened(files["checkpoint"].decode(), [witness.Key.parse(follower.key)])
    address = f"http://127.0.0.1:{follower.server.server_port}/log/"
    needed = {name: content for name, content in files.items() if name in _NEEDED}
    assert needed.keys() == _NEEDED.keys()
    chance = random.Random(20261129)
    follower.files = files
    witness.require_growth(old, new, address)

    for _repetition in range(repeated(10_000)):
        name = chance.choice([*needed])
        follower.files = {**files, name: _changed(files[name], _NEEDED[name], chance)}
        with pytest.raises((witness.Alarm, witness.Wrong, witness.Unreadable)):
            witness.require_growth(old, new, address)


_NEEDED: Final = {"tile/0/000": 0, f"tile/0/002.p/{WIDTH - 1}": 0, "tile/1/000.p/2": 1}
"""Tiles that show the growth to 767 records from some in the first tile, and their first hash that
is used: the second tile is one hash of the level above."""


def _changed(tile: bytes, first: int, chance: random.Random) -> bytes:
    size = 32
    hashes = [tile[at : at + size] for at in range(0, len(tile), size)]
    place = chance.randrange(first, len(hashes))
    match chance.randrange(4):
        case 0:
            bit = 1 << chance.randrange(8 * size)
            hashes[place] = (int.from_bytes(hashes[place]) ^ bit).to_bytes(size)
        case 1:
            hashes[place] = chance.choice([other for other in hashes if other != hashes[place]])
        case 2:
            del hashes[place]
        case _:
            hashes.insert(place, chance.randbytes(size))
    return b"".join(hashes)
