"""The witness follows the log as a regulator runs it, and finds each way to change it."""

import base64
import os
import time
from collections.abc import Callable
from typing import Final

import pytest
from django.conf import settings

from compliance.trail.log.checkpoints import verifier_key
from compliance.trail.log.merkle_tree import root_of
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.log.signed_heads import is_signed, raw_key
from compliance.trail.log.tiles import WIDTH
from compliance.trail.witnesses import witness
from tests.compliance.trail.logs import CLERK, KEY, NOW, OTHER_KEY, append, tamper, write
from tests.compliance.trail.witnesses.followed_log import (
    Witness,
    grown,
    other_histories,
    published,
)

pytestmark = pytest.mark.django_db

_NAME: Final = "regulator.example/witness"
_LONG_AGO: Final = 7_200  # seconds


class TestALogThatGrows:
    @pytest.mark.slow
    def test_is_followed(self, follower: Witness) -> None:
        """Turn by turn, over full and partial tiles; what was seen last is kept."""
        assert "begins with" in follower.sees(grown(300))[1]
        for records in (1, 258, 7, 512, 3):
            log = grown(records)
            status, said = follower.sees(log)
            assert (status, "has grown by" in said) == (0, True)
            assert follower.kept.encode() == log["checkpoint"]
        assert follower.sees(log) == (0, "")

    def test_is_cosigned(self, follower: Witness) -> None:
        """By the key whose public part was printed: over the time and what the log signed."""
        status, printed = follower.run("make-key", str(follower.folder), _NAME)
        log = grown(5)
        follower.sees(log)

        text, line = follower.kept.split("\n\n")[0], follower.kept.splitlines()[-1]
        _dash, name, signed = line.split(" ")
        octets = base64.b64decode(signed)
        short_id, typed = printed.strip().split("+", 2)[1:]
        public = base64.b64decode(typed)
        at = int.from_bytes(octets[4:12], "big")
        message = f"cosignature/v1\ntime {at}\n{text}\n".encode()
        assert (status, name, octets[:4].hex(), public[:1]) == (0, _NAME, short_id, b"\x04")
        assert is_signed(public[1:], octets[12:], message)
        assert abs(time.time() - at) < _LONG_AGO
        assert follower.kept.encode().startswith(log["checkpoint"])
        assert (follower.folder / "witness.pem").stat().st_mode & 0o777 == 0o600

    def test_is_followed_on_after_a_change_of_keys(self, follower: Witness) -> None:
        """With both keys: the head that was kept is signed by the former one."""
        former = follower.key
        follower.sees(grown(5))
        write(5)
        rotate_key(KEY, OTHER_KEY, at=NOW, actor=CLERK)
        append(key=OTHER_KEY)
        follower.key = verifier_key(settings.LOG_ORIGIN, raw_key(OTHER_KEY.public_key()))

        assert follower.sees(published())[0] == 1
        assert follower.sees(published(), "--log", former)[0] == 0


class TestALogThatIsChanged:
    @pytest.mark.slow
    def test_is_found_rolled_back(self, follower: Witness) -> None:
        """The later head is kept: the log must grow from it."""
        earlier, later = grown(300), grown(20)
        follower.sees(later)

        status, said = follower.sees(earlier)

        assert (status, "ROLLED BACK" in said) == (1, True)
        assert follower.kept.encode() == later["checkpoint"]
        assert follower.sees(grown(5))[0] == 0

    @pytest.mark.parametrize("sizes", [(7, 7), (7, 300), (300, 301)])
    def test_is_found_to_have_another_history(
        self, follower: Witness, sizes: tuple[int, int]
    ) -> None:
        """Of the same length or longer, as the operator might show it to somebody else."""
        grown(260)
        one, other = other_histories(*sizes)
        follower.sees(one)

        status, said = follower.sees(other)

        assert (status, "ANOTHER HISTORY" in said) == (1, True)
        assert follower.evidence() == [one["checkpoint"], other["checkpoint"]]
        assert follower.kept.encode() == one["checkpoint"]

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["tile/0/000", "tile/0/001.p/{rest}", "tile/1/000.p/1"])
    def test_shows_other_tiles(self, follower: Witness, name: str) -> None:
        """Than those that it signed."""
        follower.sees(grown(260))
        log = grown(9)
        name = name.format(rest=int(log["checkpoint"].split(b"\n")[1]) % WIDTH)
        log[name] = bytes(32) + log[name][32:]

        status, said = follower.sees(log)

        read = "1/000" in name or "0/001" in name
        assert (status, "do not give the signed root" in said) == (
            (1, True) if read else (0, False)
        )

    @pytest.mark.slow
    def test_is_found_to_stand_still(self, follower: Witness) -> None:
        """By the time since the witness saw it grow, also before it was started."""
        log = grown(5)
        follower.sees(log)
        then = time.time() - _LONG_AGO
        os.utime(follower.folder / "checkpoint", (then, then))

        status, said = follower.sees(log)

        assert (status, "stands still, no new record for 12" in said) == (1, True)
        assert follower.sees(grown(1))[0] == 0

    @pytest.mark.parametrize(
        "change",
        [
            lambda note: note.replace(b"\n5", b"\n6"),
            lambda note: note.replace(b"demo", b"dome"),
            lambda note: note.replace("\N{EM DASH}".encode(), b"-"),
            lambda note: note[:-9] + b"AAAAAAA=\n",
            lambda note: b"",
            lambda note: note.split(b"\n\n")[0],
        ],
    )
    def test_shows_what_it_has_not_signed(
        self, follower: Witness, change: Callable[[bytes], bytes]
    ) -> None:
        """Nothing is kept of it."""
        tamper("DELETE FROM trail_pendingrow")
        log = grown(5)
        log["checkpoint"] = change(log["checkpoint"])

        status, said = follower.sees(log)

        assert (status, "ALARM" in said) == (1, True)
        assert not (follower.folder / "checkpoint").exists()


class TestALogThatCannotBeRead:
    @pytest.mark.slow
    def test_is_tried_again(self, follower: Witness) -> None:
        """Also if a tile is missing, as with records that were declared lost."""
        assert follower.sees({})[0] == 2
        follower.sees(grown(5))
        log = grown(300)
        missing = {name: content for name, content in log.items() if "tile/0/000" not in name}

        assert follower.sees(missing)[0] == 2
        assert follower.sees(log)[0] == 0

    @pytest.mark.parametrize("key", ["", "a+b", "a+00000000+AQ=="])
    def test_needs_a_key(self, follower: Witness, key: str) -> None:
        """Which is refused before anything is read."""
        follower.key = key

        assert follower.sees({})[0] == 2
        assert not [*follower.folder.iterdir()]


class TestTheRoot:
    @pytest.mark.parametrize("old", [1, 2, 3, 5, 8, 31, 32, 33, 63])
    def test_is_computed_from_both_logs(self, old: int) -> None:
        """As the tree computes it, for every longer log."""
        leaves = [bytes([number]) * 32 for number in range(70)]

        def subtree(level: int, index: int) -> bytes:
            return root_of(leaves[index << level : (index + 1) << level])

        kept = {place: subtree(*place) for place in witness.peaks(old)}
        assert witness.joined([*kept.values()]) == root_of(leaves[:old])
        for new in range(old + 1, len(leaves)):
            found = witness.root_over(0, new, old, kept, subtree)
            assert found == root_of(leaves[:new])
