"""Reasons of rejected documents in Italian."""

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest
from django.utils import translation

from casino.backoffice.feed.rejection_texts import translate_reason, translate_rejection
from tests.docs.test_layout import lines_of, project_files

_ERRORS: Final = {"FeedError", "DocumentFault"}
_NAMES: Final = {"found", "needed", "again"}
_VALUE_ONLY: Final = re.compile(r"\W*\d\W*|true|'golden'")


def _text_of(node: ast.AST) -> str | None:
    """The literal of ``node`` with 7 for its values; None if it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values
        )
    return None


def _candidates(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name_of(node.func) in _ERRORS:
            for argument in node.args[1:3]:
                choices = ast.iter_child_nodes(argument) if isinstance(argument, ast.IfExp) else ()
                yield from (argument, *choices)
        elif isinstance(node, ast.Assign) and _name_of(node.targets[0]) in _NAMES:
            yield node.value


def _name_of(node: ast.AST) -> str:
    return getattr(node, "id", "") or getattr(node, "attr", "")


def _stated_by_readers() -> set[str]:
    """All literal texts of errors in the modules that reject documents."""
    modules = [
        path for path in project_files() if path.suffix == ".py" and path.parts[0] == "rounds"
    ]
    sources = {"\n".join(lines_of(path)) for path in modules}
    rejecting = [source for source in sources if any(f"{name}(" in source for name in _ERRORS)]
    texts = (_text_of(node) for source in rejecting for node in _candidates(ast.parse(source)))
    return {text for text in texts if text and not _VALUE_ONLY.fullmatch(text)}


def test_each_reason_that_readers_state_has_its_italian() -> None:
    """Values of the document, such as ``'8H'``, stay as they are."""
    stated = _stated_by_readers()

    with translation.override("it"):
        untranslated = {text for text in stated if translate_rejection(text) == text}

    assert len(stated) > 50
    assert untranslated == set()


@pytest.mark.parametrize(
    ("stated", "italian"),
    [
        ("nothing", "nulla"),
        ("at most 10 bets", "al massimo 10 puntate"),
        ("one of a, b", "uno tra: a, b"),
        ("one of a player on a box", "una per giocatore e box"),
        (
            "broken JSON at line 1, column 5",
            "JSON non valido alla riga 1, colonna 5",
        ),
        ("'8H'", "'8H'"),
    ],
)
def test_values_in_reasons_stay(stated: str, italian: str) -> None:
    """In the sentence of the reader's language."""
    with translation.override("it"):
        translated = translate_rejection(stated)

    assert translated == italian


def test_a_reason_of_the_audit_log_is_translated() -> None:
    """The field and the values stay; a reason that a person wrote does, too."""
    with translation.override("it"):
        assert translate_reason("bets[2].stake: found nothing, needed an object") == (
            "bets[2].stake: Trovato nulla; previsto un oggetto"
        )
        assert translate_reason("The reader read cards twice.") == "The reader read cards twice."
