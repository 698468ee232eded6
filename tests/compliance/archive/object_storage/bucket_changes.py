"""Single changes of an archive in a bucket, by whoever may write to it."""

import random
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from compliance.archive.archive_list import LIST_NAME, SIGNATURE_NAME
from tests.compliance.archive.object_storage.s3_server import UNCHECKED
from tests.compliance.archive.object_storage.stores import PREFIX, Store


class Target(NamedTuple):
    """An archive in the bucket, and what else whoever changes it has."""

    store: Store
    archive: str
    files: Mapping[str, bytes]
    """Its content by name."""
    earlier: Mapping[str, bytes]
    """Those of another recorded archive of the month, signed as well."""


BucketChange = Callable[[random.Random, Target], str]
"""Changes one object and returns its path, which has to be named."""


def _put(target: Target, name: str, content: bytes) -> str:
    path = f"{target.archive}/{name}"
    target.store.put(path, content)
    return path


def _flipped(dice: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _change_a_bit(dice: random.Random, target: Target) -> str:
    name = dice.choice(sorted(target.files))
    return _put(target, name, _flipped(dice, target.files[name]))


def _cut(dice: random.Random, target: Target) -> str:
    name = dice.choice(sorted(target.files))
    content = target.files[name]
    return _put(target, name, content[: dice.randrange(len(content))])


def _lengthen(dice: random.Random, target: Target) -> str:
    name = dice.choice(sorted(target.files))
    return _put(target, name, target.files[name] + dice.randbytes(dice.randint(1, 9)))


def _remove(dice: random.Random, target: Target) -> str:
    path = f"{target.archive}/{dice.choice(sorted(target.files))}"
    target.store.delete(path)
    return path


def _swap(dice: random.Random, target: Target) -> str:
    """Two files of one archive, each whole."""
    files = sorted(set(target.files) - {LIST_NAME, SIGNATURE_NAME})
    first, second = dice.sample(files, 2)
    _put(target, first, target.files[second])
    return _put(target, second, target.files[first])


def _put_another_list(dice: random.Random, target: Target) -> str:
    """Well formed, of another operator."""
    content = target.files[LIST_NAME].replace(b"Casino di prova", b"Casino di parva")
    assert content != target.files[LIST_NAME]
    return _put(target, LIST_NAME, content)


def _put_list_of_another_month(dice: random.Random, target: Target) -> str:
    content = target.files[LIST_NAME].replace(b'"month": "2026-11"', b'"month": "2026-10"')
    assert content != target.files[LIST_NAME]
    return _put(target, LIST_NAME, content)


def _put_the_other_archive(dice: random.Random, target: Target) -> str:
    """All of it, under the names of this one: signed and recorded, as another number."""
    for name, content in target.earlier.items():
        _put(target, name, content)
    return f"{target.archive}/{LIST_NAME}"


def _put_the_other_signature(dice: random.Random, target: Target) -> str:
    return _put(target, SIGNATURE_NAME, target.earlier[SIGNATURE_NAME])


CHANGES: Final[Mapping[str, BucketChange]] = {
    "a bit": _change_a_bit,
    "cut": _cut,
    "longer": _lengthen,
    "missing": _remove,
    "swapped": _swap,
    "another list": _put_another_list,
    "the list of another month": _put_list_of_another_month,
    "another archive of the month": _put_the_other_archive,
    "the signature of another archive": _put_the_other_signature,
}


def damage(store: Store, path: str, content: bytes) -> None:
    """Has the store state the SHA-256 of what was uploaded, and give other bytes of its size.

    As a store does that has a bad disk, or an owner who changes objects below its interface.
    """
    key = f"{PREFIX}/{path}"
    client = store.server.client
    stated = client.head_object(Bucket=store.bucket, Key=key, ChecksumMode="ENABLED")

    def leave_unchecked(params: dict[str, dict[str, str]], **_context: object) -> None:
        params["headers"][UNCHECKED] = "yes"

    client.meta.events.register("before-call.s3.PutObject", leave_unchecked)
    try:
        client.put_object(
            Bucket=store.bucket,
            Key=key,
            Body=content,
            ChecksumAlgorithm="SHA256",
            ChecksumSHA256=stated["ChecksumSHA256"],
        )
    finally:
        client.meta.events.unregister("before-call.s3.PutObject", leave_unchecked)
