"""The survivors that are declared, each with the reason why no test has to notice it."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.mutants.mutant import Place


def declared_survivors(file: Path) -> dict[Place, str]:
    """The reason by place; one entry may name several changes of a line."""
    entries = tomllib.loads(file.read_text()).get("survivor", []) if file.exists() else []
    return {place: entry["reason"] for entry in entries for place in _places(entry)}


def entry_of(place: Place) -> str:
    """The entry to add for a survivor, without its reason."""
    fields = {**place._asdict(), "reason": ""}
    texts = (f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in fields.items())
    return "\n".join(["[[survivor]]", *texts])


def _places(entry: dict[str, str | list[str]]) -> Iterator[Place]:
    mutated = entry["mutated"]
    for text in [mutated] if isinstance(mutated, str) else mutated:
        yield Place(str(entry["path"]), str(entry["function"]), str(entry["original"]), text)
