"""The witness's answers to requests that are not as they should be (C2SP tlog-witness)."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import requests

from compliance.trail.log.merkle_tree import consistency_path, root_of
from compliance.trail.log.signed_heads import base64_of
from tests.compliance.trail.logs import KEY, OTHER_KEY
from tests.compliance.trail.witnesses.running_witness import (
    LOG,
    RunningWitness,
    running_witnesses,
)

_LEAVES: Final = [bytes([number]) * 32 for number in range(40)]
_ID: Final = bytes.fromhex(LOG.split("+")[1])
_ORIGIN: Final = LOG.split("+")[0]
_SECONDS: Final = 10


def note(size: int, /, *, leaves: list[bytes] = _LEAVES, key: Any = KEY, **parts: str) -> str:
    """A checkpoint of the first leaves."""
    root = base64_of(root_of(leaves[:size]))
    said = {"origin": _ORIGIN, "size": str(size), "root": root, **parts}
    text = "".join(f"{said[name]}\n" for name in ("origin", "size", "root"))
    signed = base64_of(_ID + key.sign(text.encode()))
    return f"{text}\n\N{EM DASH} {said['origin']} {signed}\n"


def proof(old: int, new: int) -> list[str]:
    """The lines of the proof of growth."""
    if not 0 < old < new:
        return []

    def subtree(level: int, index: int) -> bytes:
        return root_of(_LEAVES[index << level : (index + 1) << level])

    return list(map(base64_of, consistency_path(old, new, subtree)))


def request(old: int | str, new: int, lines: list[str] | None = None, /, **parts: Any) -> str:
    """The body of a request."""
    path = proof(int(old), new) if lines is None else lines
    return "\n".join([f"old {old}", *path, "", note(new, **parts)])


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[RunningWitness]:
    """A witness that has seen seven records."""
    with running_witnesses(tmp_path, "one") as [running]:
        assert post(running, request(0, 7)) == (200, f"{running.kept.splitlines()[-1]}\n")
        yield running


def post(witness: RunningWitness, body: str | bytes) -> tuple[int, str]:
    """Its answer."""
    content = body.encode() if isinstance(body, str) else body
    answer = requests.post(f"{witness.url}/add-checkpoint", data=content, timeout=_SECONDS)
    return answer.status_code, answer.text


_OTHERS: Final = [b"\xff" * 32, *_LEAVES[1:]]


class TestARequest:
    @pytest.mark.parametrize("new", [7, 8, 9, 16, 31, 32, 33, 40])
    def test_of_a_log_that_grew_is_signed(self, witness: RunningWitness, new: int) -> None:
        """And of the same head again."""
        assert post(witness, request(7, new))[0] == 200
        assert post(witness, request(new, new))[0] == 200
        kept = requests.get(f"{witness.url}/checkpoint", timeout=_SECONDS).text
        assert kept.startswith(note(new))

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (request(7, 20, origin="casino.example/log"), 404),
            (request(7, 20, key=OTHER_KEY), 403),
            (request(7, 20).replace("\N{EM DASH}", "-"), 403),
            (request(7, 20, size="020"), 400),
            (request(7, 20, size="9" * 5_000), 400),
            (request(7, 20, root="AAAA"), 400),
            (request(7, 20, root="!"), 400),
            (request("007", 20, []), 400),
            (request("9" * 5_000, 20, []), 400),
            (request("-7", 20, []), 400),
            (request("7", 20).replace("old", "new"), 400),
            (request(7, 20, ["!"]), 400),
            (request(7, 20, [base64_of(bytes(32))] * 64), 400),
            (request(30, 20, []), 400),
            ("", 400),
            (b"\xff\xfe", 400),
            (request(7, 20, []), 422),
            (request(7, 20, proof(7, 21)), 422),
            (request(7, 20, [*proof(7, 20), base64_of(bytes(32))]), 422),
            (request(7, 20, proof(7, 20)[:-1]), 422),
            (request(7, 20, leaves=_OTHERS), 422),
            (request(7, 7, [base64_of(bytes(32))]), 422),
            (request(7, 7, leaves=_OTHERS), 409),
        ],
    )
    def test_that_is_wrong_is_refused(
        self, witness: RunningWitness, body: str | bytes, status: int
    ) -> None:
        """With the status of the protocol; what the witness has seen stays, and it goes on."""
        before = witness.kept

        assert post(witness, body)[0] == status
        assert witness.kept == before
        assert post(witness, request(7, 20))[0] == 200

    @pytest.mark.parametrize(("old", "new"), [(0, 20), (5, 20), (8, 20), (0, 7), (3, 3), (3, 5)])
    def test_from_another_size_learns_the_right_one(
        self, witness: RunningWitness, old: int, new: int
    ) -> None:
        """Also a replay of an older head, which anybody can send."""
        answer = requests.post(
            f"{witness.url}/add-checkpoint", data=request(old, new).encode(), timeout=_SECONDS
        )

        assert (answer.status_code, answer.text) == (409, "7\n")
        assert answer.headers["Content-Type"] == "text/x.tlog.size"

    def test_that_is_too_long_is_not_read(self, witness: RunningWitness) -> None:
        """Nor one without a length."""
        assert post(witness, b"x" * (1 << 17))[0] == 413
        chunked = requests.post(
            f"{witness.url}/add-checkpoint", data=iter([b"old 7"]), timeout=_SECONDS
        )
        assert chunked.status_code == 413
        assert post(witness, request(7, 20))[0] == 200

    @pytest.mark.parametrize("path", ["", "add-checkpoint/", "witness.pem", "../witness.pem"])
    def test_of_another_path(self, witness: RunningWitness, path: str) -> None:
        """Shows no file."""
        for ask in (requests.get, requests.post):
            assert ask(f"{witness.url}/{path}", timeout=_SECONDS).status_code == 404


class TestAServer:
    def test_needs_a_key(self, tmp_path: Path) -> None:
        """Which make-key makes."""
        running = RunningWitness(tmp_path, "one")
        (tmp_path / "witness.pem").unlink()
        with pytest.raises(ValueError, match="make-key"):
            running.start()
        running.end()

    @pytest.mark.slow
    def test_says_that_the_log_stands_still(self, tmp_path: Path) -> None:
        """After the time that it was given."""
        running = RunningWitness(tmp_path, "one")
        running.start("--frozen", "0.01")

        assert "ALARM: stands still, no new head for 0 minutes" in running.says()
        running.end()

    def test_of_a_damaged_folder_signs_nothing(self, witness: RunningWitness) -> None:
        """It does not begin anew by itself: that would be a witness who forgets."""
        (witness.folder / "checkpoint").write_text("damaged")

        status, said = post(witness, request(0, 20))

        assert (status, "cannot read its own file" in said) == (500, True)

    def test_signs_what_its_key_verifies(self, witness: RunningWitness) -> None:
        """Time and text, in the form of C2SP tlog-cosignature."""
        text, _blank, lines = witness.kept.partition("\n\n")
        signed = base64.b64decode(lines.splitlines()[-1].split(" ")[2])

        assert signed[:4] == witness.key.short_id
        assert text.startswith(_ORIGIN)
