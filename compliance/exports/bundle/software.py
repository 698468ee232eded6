"""Version of the software, and a digest of its sources."""

import hashlib
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple

_ROOT: Final = Path(__file__).resolve().parents[3]
_PACKAGES: Final = ("casino", "compliance", "payouts", "rounds")


class Software(NamedTuple):
    """``build`` is SHA-256 over name, length and content of every Python file of the packages."""

    version: str
    build: str


@cache
def software() -> Software:
    """The software that is running."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            content = path.read_bytes()
            name = path.relative_to(_ROOT).as_posix()
            digest.update(f"{name}\0{len(content)}\0".encode())
            digest.update(content)
    return Software(_version(), digest.hexdigest())


def _version() -> str:
    """Of the clone's project, or of the installed package."""
    project = _ROOT / "pyproject.toml"
    if project.exists():
        return str(tomllib.loads(project.read_text())["project"]["version"])
    return metadata.version("sabot")
