"""The survivors that are declared, with the reason why no test has to notice them."""

import json
import tomllib
from pathlib import Path

from tests.mutants.mutant import Place


def declared_survivors(file: Path) -> dict[Place, str]:
    """The reason by place; several may have the same one."""
    groups = tomllib.loads(file.read_text()).get("survivors", []) if file.exists() else []
    return {Place(*place): group["reason"] for group in groups for place in group["places"]}


def line_of(place: Place) -> str:
    """The line to add for a survivor to the places of a reason."""
    return f"  {json.dumps(place, ensure_ascii=False)},"
