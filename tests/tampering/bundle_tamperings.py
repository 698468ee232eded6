"""Single changes of a bundle, each of which the verifier has to report."""

import json
import random
from collections.abc import Callable, Mapping
from typing import Final

from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE


def summary(files: Mapping[str, bytes]) -> dict[str, object]:
    """The manifest."""
    manifest: dict[str, object] = json.loads(files[MANIFEST])
    return manifest


Tampering = Callable[[random.Random, dict[str, bytes], Mapping[str, bytes]], None]
"""Changes the files of the second bundle; the first one's are at hand."""


def flip(dice: random.Random, content: bytes) -> bytes:
    """Flips one bit of a byte."""
    changed = bytearray(content)
    changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _change_a_byte(dice: random.Random, files: dict[str, bytes], _: Mapping[str, bytes]) -> None:
    name = dice.choice([name for name in files if files[name] and name != SIGNATURE])
    files[name] = flip(dice, files[name])


def _cut_a_file(dice: random.Random, files: dict[str, bytes], _: Mapping[str, bytes]) -> None:
    name = dice.choice(sorted(name for name in files if files[name]))
    files[name] = files[name][: dice.randrange(len(files[name]))]


def _take_a_file_out(dice: random.Random, files: dict[str, bytes], _: Mapping[str, bytes]) -> None:
    del files[dice.choice(sorted(files))]


def _put_a_file_in(dice: random.Random, files: dict[str, bytes], _: Mapping[str, bytes]) -> None:
    files[f"registers/{dice.randrange(10**6)}.csv"] = b"session\n"


def _swap_two_files(dice: random.Random, files: dict[str, bytes], _: Mapping[str, bytes]) -> None:
    first, other = dice.sample(sorted(name for name in files if files[name]), 2)
    files[first], files[other] = files[other], files[first]


def _take_a_file_of_before(
    dice: random.Random, files: dict[str, bytes], before: Mapping[str, bytes]
) -> None:
    name = dice.choice([name for name in files if files[name] != before[name]])
    files[name] = before[name]


def _replay_the_manifest(
    _: random.Random, files: dict[str, bytes], before: Mapping[str, bytes]
) -> None:
    files[MANIFEST], files[SIGNATURE] = before[MANIFEST], before[SIGNATURE]


def _write_another_manifest(
    dice: random.Random, files: dict[str, bytes], _: Mapping[str, bytes]
) -> None:
    text = summary(files)
    text["number"] = dice.randrange(3, 1000)
    files[MANIFEST] = json.dumps(text).encode()


def _take_a_row_out(dice: random.Random, files: dict[str, bytes], _: Mapping[str, bytes]) -> None:
    rows = files["registers/bets.csv"].splitlines(keepends=True)
    del rows[dice.randrange(1, len(rows))]
    files["registers/bets.csv"] = b"".join(rows)


TAMPERINGS: Final[tuple[Tampering, ...]] = (
    _change_a_byte,
    _cut_a_file,
    _take_a_file_out,
    _put_a_file_in,
    _swap_two_files,
    _take_a_file_of_before,
    _replay_the_manifest,
    _write_another_manifest,
    _take_a_row_out,
)
