"""Single changes of an archive, by whoever can write to its folder."""

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME
from compliance.exports.bundle.signing import SigningKey
from tests.compliance.archive.archived_months import Archived

Change = Callable[[random.Random, Path], None]


def recorded_as(archived: Archived, content: bytes, signature: bytes) -> Archived:
    """The archive with this list and signature, as if the audit log had recorded them."""
    digests = []
    for name, written in ((LIST_NAME, content), (SIGNATURE_NAME, signature)):
        (archived.folder / name).write_bytes(written)
        digests.append(hashlib.sha256(written).hexdigest())
    list_sha256, signature_sha256 = digests
    recorded = archived.recorded._replace(
        list_sha256=list_sha256, signature_sha256=signature_sha256
    )
    return archived._replace(recorded=recorded)


def list_as_written(members: dict[str, Any]) -> bytes:
    """A list with these members, as Sabot writes lists."""
    text = json.dumps(members, indent=1, sort_keys=True, ensure_ascii=False)
    return f"{text}\n".encode()


@contextmanager
def changed(folder: Path, original: Path, change: Change, dice: random.Random) -> Iterator[None]:
    """The folder with one change, and afterwards as it was."""
    change(dice, folder)
    yield
    names = {path.name for path in original.iterdir()}
    for path in list(folder.iterdir()):
        if path.name not in names or path.is_symlink() or path.is_dir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for path in original.iterdir():
        copy = folder / path.name
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            shutil.copyfile(path, copy)


def _any(dice: random.Random, folder: Path) -> Path:
    return dice.choice(sorted(folder.iterdir()))


def _flip_a_bit(dice: random.Random, folder: Path) -> None:
    path = _any(dice, folder)
    content = bytearray(path.read_bytes())
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def _cut_a_file(dice: random.Random, folder: Path) -> None:
    path = _any(dice, folder)
    content = path.read_bytes()
    path.write_bytes(content[: dice.randrange(len(content))])


def _lengthen_a_file(dice: random.Random, folder: Path) -> None:
    path = _any(dice, folder)
    path.write_bytes(path.read_bytes() + dice.randbytes(dice.randint(1, 9)))


def _move_bytes_in_a_file(dice: random.Random, folder: Path) -> None:
    path = _any(dice, folder)
    content = path.read_bytes()
    at = dice.randrange(1, len(content))
    while content[at:] + content[:at] == content:
        at += 1
    path.write_bytes(content[at:] + content[:at])


def _swap_two_files(dice: random.Random, folder: Path) -> None:
    first, second = dice.sample(sorted(folder.iterdir()), 2)
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)


def _rename_a_file(dice: random.Random, folder: Path) -> None:
    path = _any(dice, folder)
    path.rename(path.with_name(f"{path.stem}-{dice.randrange(99)}{path.suffix}"))


def _remove_a_file(dice: random.Random, folder: Path) -> None:
    _any(dice, folder).unlink()


def _add_a_file(dice: random.Random, folder: Path) -> None:
    name = dice.choice(["rounds_bet-00009.parquet", ".hidden", "archive.json.bak", "README"])
    shutil.copyfile(_any(dice, folder), folder / name)


def _add_a_folder(dice: random.Random, folder: Path) -> None:
    (folder / f"more-{dice.randrange(99)}").mkdir()


def _put_a_link(dice: random.Random, folder: Path) -> None:
    """To the same bytes, which whoever owns the target can change later."""
    path = _any(dice, folder)
    target = folder.with_name("elsewhere")
    shutil.copyfile(path, target)
    path.unlink()
    path.symlink_to(target)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of a list or object within."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in list(members):
        yield value, key
        if isinstance(member, dict | list):
            yield from _places(member)


def edited_list(dice: random.Random, folder: Path) -> bytes:
    """The list with one member changed or removed, written as Sabot writes lists."""
    members = json.loads((folder / LIST_NAME).read_bytes())
    holder, key = dice.choice(list(_places(members)))
    value = holder[key]
    match dice.randrange(3):
        case 0:
            del holder[key]
        case 1 if isinstance(value, int):
            holder[key] = value + dice.choice([-1, 1])
        case 1 if isinstance(value, str):
            holder[key] = value[:-1] + ("0" if value[-1:] != "0" else "1")
        case _:
            holder[key] = [value]
    return list_as_written(members)


def _edit_the_list(dice: random.Random, folder: Path) -> None:
    (folder / LIST_NAME).write_bytes(edited_list(dice, folder))


def sign_as(key: SigningKey) -> Change:
    """The list, or another one, signed by somebody else."""

    def change(dice: random.Random, folder: Path) -> None:
        path = folder / LIST_NAME
        content = dice.choice([path.read_bytes(), edited_list(dice, folder)])
        path.write_bytes(content)
        (folder / SIGNATURE_NAME).write_bytes(key.sign(content))

    return change


def put_back(other: Path) -> Change:
    """Files of another archive of the month that is signed as well."""

    def change(dice: random.Random, folder: Path) -> None:
        names = dice.choice([[LIST_NAME], [SIGNATURE_NAME], [LIST_NAME, SIGNATURE_NAME]])
        for name in names:
            shutil.copyfile(other / name, folder / name)

    return change


CHANGES: Final[list[Change]] = [
    *[_flip_a_bit] * 6,
    _cut_a_file,
    _lengthen_a_file,
    _move_bytes_in_a_file,
    _swap_two_files,
    _rename_a_file,
    _remove_a_file,
    _add_a_file,
    _add_a_folder,
    _put_a_link,
    *[_edit_the_list] * 4,
]
"""Bits are changed most often."""
