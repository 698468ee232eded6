"""A small installation in a folder: two packages of ours, one that they run on, and their list."""

import compileall
import hashlib
import importlib
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from compliance.release import current_release
from compliance.release.current_release import Outcome, compare_release
from compliance.release.release_list import SIGNATURE_SUFFIX, list_of_wheel

_OURS: Final = {
    "toycasino/__init__.py": b"",
    "toycasino/pay.py": b"LIMIT = 100\n",
    "toycasino/page.html": b"<p>\n",
}
_THEIRS: Final = {"ledgerlib/__init__.py": b"def post(cents):\n    return cents\n"}
_VERSION: Final = "1.4"


def public_key(key: Ed25519PrivateKey) -> str:
    """As RELEASE_KEYS names it."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


class SmallRelease:
    """What is installed in ``root``, compiled, with the list that its key has signed."""

    def __init__(self, folder: Path) -> None:
        self.root, self.folder = folder / "site-packages", folder
        self.list = folder / "release.json"
        self.key = Ed25519PrivateKey.generate()
        for name, content in {**_OURS, **_THEIRS}.items():
            self.write(name, content)
        self.record("ledgerlib", _THEIRS)
        with ZipFile(folder / "toycasino-2.0-py3-none-any.whl", "w") as wheel:
            for name, content in _OURS.items():
                wheel.writestr(name, content)
        self.sign()
        compileall.compile_dir(self.root, quiet=2)

    def write(self, name: str, content: bytes) -> Path:
        """Writes a file below the root."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def record(
        self,
        package: str,
        files: Iterable[str],
        *,
        version: str = _VERSION,
        tag: str = "py3-none-any",
    ) -> None:
        """Writes what pip writes about an installed package."""
        info = f"{package}-{version}.dist-info"
        self.write(f"{info}/WHEEL", f"Wheel-Version: 1.0\nTag: {tag}\n".encode())
        self.write(f"{info}/METADATA", f"Name: {package}\nVersion: {version}\n".encode())
        names = [*files, f"{info}/WHEEL", f"{info}/METADATA"]
        rows = [_row(name, (self.root / name).read_bytes()) for name in names]
        self.write(f"{info}/RECORD", "\n".join([*rows, f"{info}/RECORD,,"]).encode())

    def sign(self, key: Ed25519PrivateKey | None = None, *, more: Iterable[str] = ()) -> None:
        """Lists what is in the wheel and installed, and signs the list; ``more`` are packages."""
        [wheel] = self.folder.glob("*.whl")
        installed = list(distributions(path=[str(self.root)]))
        versions = dict.fromkeys(["ledgerlib", *more], _VERSION)
        release = list_of_wheel(wheel, versions=versions, installed=installed)
        self.list.write_bytes(release.as_bytes())
        signature = (key or self.key).sign(self.list.read_bytes())
        self.list.with_name(self.list.name + SIGNATURE_SUFFIX).write_bytes(signature)

    def use(self, patch: pytest.MonkeyPatch) -> None:
        """Makes this process run from here."""
        patch.syspath_prepend(str(self.root))
        patch.setattr(current_release, "ROOT", self.root)
        patch.setattr(current_release, "_KEPT", current_release._Kept())


def differing(*, thoroughly: bool = True) -> list[str]:
    """The names of what differs; the outcome agrees."""
    importlib.invalidate_caches()
    state = compare_release(thoroughly=thoroughly)
    assert (state.outcome is Outcome.DIFFERS) == bool(state.differences)
    return [difference.item for difference in state.differences]


def compile_other_code(source: Path, code: bytes) -> None:
    """Puts compiled code beside a source that Python takes for that of the source."""
    content, status = source.read_bytes(), source.stat()
    source.write_bytes(code.ljust(len(content), b"\n"))
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    compileall.compile_file(source, quiet=2, force=True)
    source.write_bytes(content)
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))


def _row(name: str, content: bytes) -> str:
    digest = urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(content)}"
