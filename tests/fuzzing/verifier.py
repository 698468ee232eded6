"""The regulator's verifier in this process, with what openssl said kept for equal inputs."""

import io
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from compliance.exports import verify_bundle

_MOST_LINES: Final = 10_000


class VerifierRun(NamedTuple):
    """Exit status and output."""

    status: int
    output: str


def run_verifier(
    content: bytes, *arguments: str, openssl: Callable[[str, list[str]], str] | None = None
) -> VerifierRun:
    """The result of the verifier for a file, and what always holds of it.

    It ends with status 0 or 1 and a line that says which, and prints nothing else that looks like
    it: no text of the file is a line of its own or moves the cursor.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)
        argv = ["verify_bundle.py", *arguments, str(path)]
        printed = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n")
        with (
            redirect_stdout(printed),
            patch.object(sys, "argv", argv),
            patch.object(verify_bundle, "run_openssl", openssl or remembered_openssl),
        ):
            status = verify_bundle.main()
        printed.seek(0)
        output = printed.read()
    lines = output.split("\n")
    right = [line for line in lines if line.startswith(("RIGHT", "SANDBOX"))]
    assert status in (0, 1)
    assert all(line.isprintable() for line in lines)
    assert len(lines) < _MOST_LINES
    assert any(line.startswith(("RIGHT: ", "WRONG: ", "SANDBOX", "NOT PROVED: ")) for line in lines)
    assert right or status == 1
    return VerifierRun(status, output)


def remembered_openssl(what: str, arguments: list[str]) -> str:
    """As the verifier runs openssl; once for equal files."""
    names, contents = [], []
    for argument in arguments:
        path = Path(argument)
        is_file = path.is_absolute() and path.name in _FILES
        names.append(path.name if is_file else argument)
        if is_file:
            contents.append(path.read_bytes())
    answer = _answer(tuple(names), tuple(contents))
    if isinstance(answer, verify_bundle.Wrong):
        raise verify_bundle.Wrong(f"{what} (openssl: …)")
    return answer


_FILES: Final = ("signature", "content", "signer", "signed", "key")
_run_openssl: Final = verify_bundle.run_openssl


@lru_cache(maxsize=20_000)
def _answer(names: tuple[str, ...], contents: tuple[bytes, ...]) -> str | verify_bundle.Wrong:
    with tempfile.TemporaryDirectory() as folder:
        left = list(contents)
        arguments = []
        for name in names:
            path = Path(folder) / name
            if name in _FILES:
                path.write_bytes(left.pop(0))
            arguments.append(str(path) if name in _FILES else name)
        try:
            return _run_openssl("found", arguments)
        except verify_bundle.Wrong as wrong:
            return wrong
