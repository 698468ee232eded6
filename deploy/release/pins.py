"""The pins of ``make lock``."""

from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def pins_of(file: Path) -> Iterator[Requirement]:
    """The pins of a file of requirements or of its lock; their names are canonical."""
    for line in file.read_text().splitlines():
        if line[:1].isalnum():
            pin = Requirement(line.partition("#")[0].removesuffix("\\"))
            pin.name = canonicalize_name(pin.name)
            yield pin


def versions_in(file: Path) -> dict[str, str]:
    """The versions by name, whichever Python or platform they are for."""
    return {pin.name: str(pin.specifier).removeprefix("==") for pin in pins_of(file)}
