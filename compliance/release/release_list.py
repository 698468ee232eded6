"""The list of a release: every file with its SHA-256 and size, signed with the key of the release.

The list is JSON next to a detached Ed25519 signature over its bytes (``NAME.sig``, 64 octets). Both
are made with the wheel and stored outside of the package. Installations name the public keys that
they accept: nothing inside a release says who may sign one.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from packaging.utils import canonicalize_name

FORMAT: Final = "sabot-release/1"
SIGNATURE_SUFFIX: Final = ".sig"
_BY_INSTALLERS: Final = ("INSTALLER", "RECORD", "REQUESTED", "direct_url.json")
_NO_LIST: Final = "the list and its signature, as the release brings them"


class InvalidRelease(Exception):
    """The list is missing, damaged, or not signed with an accepted key."""


class FileDigest(NamedTuple):
    """What a file must be; ``size`` is in octets."""

    sha256: str
    size: int

    def __str__(self) -> str:
        return f"SHA-256 {self.sha256}, {self.size} octets"


class ListedDistribution(NamedTuple):
    """A package that Sabot runs on. ``records`` has the digest of its files by the wheel's tags."""

    version: str
    records: Mapping[str, str]


@dataclass(frozen=True)
class ReleaseList:
    """What a release consists of. Paths are those inside the wheel."""

    version: str
    artifacts: Mapping[str, FileDigest]
    """The wheel, and the files that come beside it."""
    files: Mapping[str, FileDigest]
    distributions: Mapping[str, ListedDistribution]
    digest: str = ""
    """SHA-256 of the list itself."""

    def as_bytes(self) -> bytes:
        """The list as JSON; the same octets for the same release."""
        document = {
            "format": FORMAT,
            "version": self.version,
            "artifacts": {name: file._asdict() for name, file in self.artifacts.items()},
            "files": {path: file._asdict() for path, file in self.files.items()},
            "distributions": {name: item._asdict() for name, item in self.distributions.items()},
        }
        return json.dumps(document, indent=1, sort_keys=True).encode() + b"\n"


def list_of_wheel(
    wheel: Path,
    *,
    beside: Iterable[Path] = (),
    versions: Mapping[str, str],
    installed: Iterable[Distribution],
) -> ReleaseList:
    """The list of a wheel. ``versions`` are those of the packages that it runs on, by name.

    Those that are installed here are listed with the digest of their files, too.
    """
    with ZipFile(wheel) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    files = {
        name: digest_of(content) for name, content in contents.items() if ".dist-info/" not in name
    }
    artifacts = {path.name: digest_of(path.read_bytes()) for path in (wheel, *beside)}
    records = {canonicalize_name(item.name): records_of(item) for item in installed}
    distributions = {
        name: ListedDistribution(version, records.get(canonicalize_name(name), {}))
        for name, version in versions.items()
    }
    return ReleaseList(wheel.name.split("-")[1], artifacts, files, distributions)


def digest_of(content: bytes) -> FileDigest:
    """The digest of these octets."""
    return FileDigest(hashlib.sha256(content).hexdigest(), len(content))


def records_of(distribution: Distribution) -> dict[str, str]:
    """The digest of a distribution's files as its wheel brought them, by the wheel's tags.

    Scripts and compiled files differ from one installation to the next and are left out.
    """
    rows = sorted(
        f"{file.as_posix()}\t{file.hash.value}\t{file.size}\n"
        for file in distribution.files or ()
        if file.hash is not None
        and file.parts[0] != ".."
        and not (file.parent.name.endswith(".dist-info") and file.name in _BY_INSTALLERS)
    )
    return {wheel_tags(distribution): hashlib.sha256("".join(rows).encode()).hexdigest()}


def wheel_tags(distribution: Distribution) -> str:
    """For which Pythons and platforms the wheel was made, as ``py3-none-any``."""
    lines = (distribution.read_text("WHEEL") or "").splitlines()
    return " ".join(sorted(line.removeprefix("Tag: ") for line in lines if line.startswith("Tag:")))


def read_release_list(path: Path, *, keys: Iterable[str]) -> ReleaseList:
    """The list in this file. ``keys`` are the accepted public keys (Ed25519, 64 hex digits each).

    Raises InvalidRelease unless one of them has signed it.
    """
    try:
        content = path.read_bytes()
        signature = path.with_name(path.name + SIGNATURE_SUFFIX).read_bytes()
    except OSError as error:
        raise InvalidRelease(
            f"{error.filename}: found {error.strerror}; needed {_NO_LIST}"
        ) from error
    accepted = [_public_key(key) for key in keys]
    if not accepted:
        raise InvalidRelease("RELEASE_KEYS: found none; needed the public key of the release")
    if not any(_is_signed(content, signature, key) for key in accepted):
        raise InvalidRelease(
            f"{path}: found no signature by one of RELEASE_KEYS; needed one over this list"
        )
    try:
        return _parsed(content)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidRelease(f"{path}: found {error!r}; needed {FORMAT}") from error


def _parsed(content: bytes) -> ReleaseList:
    document: dict[str, Any] = json.loads(content)
    if document["format"] != FORMAT:
        raise ValueError(document["format"])
    files = {path: FileDigest(**file) for path, file in document["files"].items()}
    artifacts = {name: FileDigest(**file) for name, file in document["artifacts"].items()}
    distributions = {
        name: ListedDistribution(**item) for name, item in document["distributions"].items()
    }
    digest = hashlib.sha256(content).hexdigest()
    return ReleaseList(document["version"], artifacts, files, distributions, digest)


def _public_key(key: str) -> Ed25519PublicKey:
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    except ValueError as error:
        raise InvalidRelease(
            f"RELEASE_KEYS: found {key}; needed 64 hex digits of an Ed25519 public key"
        ) from error


def _is_signed(content: bytes, signature: bytes, key: Ed25519PublicKey) -> bool:
    try:
        key.verify(signature, content)
    except InvalidSignature:
        return False
    return True
