"""Names are terms of the field (docs/glossary.md), not words of an own dialect."""

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from casino.embedded.server_paths import CLONE

_OWN_WORDS: Final = re.compile(
    r"(?i:(?:^|_)(?:told|described|asked|standings?|doors?|deeds?|pills?|felt|bells?)(?:_|$))"
    r"|(?:Told|Described|Asked|Standing|Door|Deed|Pill|Felt|Bell)(?![a-z])"
)
_PUBLISHED: Final = {
    ("benchmarks/soak/histories.py", "asked_at"),
    ("casino/api/webhooks/representation.py", "asked_at"),
    ("casino/integrations/change_webhook.py", "asked_at"),
    ("casino/integrations/idempotency.py", "asked"),
    ("casino/integrations/models/idempotent_answer.py", "asked"),
    ("casino/integrations/models/webhook.py", "asked_at"),
    ("compliance/exports/models/certificate.py", "asked_at"),
    ("compliance/exports/models/run.py", "asked_at"),
    ("compliance/exports/services/enqueue_certificate.py", "asked_at"),
    ("compliance/exports/services/enqueue_export.py", "asked_at"),
}
"""Columns of the database and keys of the API, which stay as they were published."""


def files() -> list[Path]:
    """The files of the project, as git or the folder has them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607  git of the path
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    return [CLONE / name for name in listed if (CLONE / name).exists()]


def own_words_of(file: Path) -> Iterator[str]:
    """The identifiers of a module that are words of an own dialect."""
    text = file.read_text()
    if not any(map(_OWN_WORDS.search, set(re.findall(r"\w+", text)))):
        return  # nor in its comments, so that it need not be read slowly
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and _OWN_WORDS.search(token.string):
            yield token.string


def test_no_file_name_has_a_dialect_word() -> None:
    """A reader finds a file by the usual term."""
    named = [file.relative_to(CLONE) for file in files() if _OWN_WORDS.search(file.stem)]

    assert named == []


def test_no_identifier_has_a_dialect_word() -> None:
    """Except in applied migrations, which are never edited."""
    modules = [file for file in files() if file.suffix == ".py" and "migrations" not in file.parts]

    own_words = {
        (module.relative_to(CLONE).as_posix(), name)
        for module in modules
        for name in own_words_of(module)
    }

    assert own_words == _PUBLISHED


@pytest.mark.parametrize("name", ["asked_at", "DOORS", "_ROUNDS_ASKED_FOR", "RoundStanding"])
def test_a_dialect_word_is_found_in_any_case(name: str) -> None:
    """In variables, constants and classes."""
    assert _OWN_WORDS.search(name)
