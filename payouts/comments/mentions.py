"""Mentions: ``@name`` in a text, where the name is that of an account."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from django.contrib.auth.models import User

_MENTION: Final = re.compile(r"(?<![\w@.+-])@(?P<name>[\w@.+-]+)")
"""After a space or a bracket: ``a@b`` is an address, not a mention. The name is as in Django."""
_PUNCTUATION: Final = "@.+-"


def mentioned_in(text: str, people: Collection[User]) -> list[User]:
    """Those of the people whom the text mentions, each once, in the order of the text."""
    by_name = {person.get_username().casefold(): person for person in people}
    found = [by_name[name] for _, name in mention_parts(text, by_name) if name]
    return list(dict.fromkeys(found))


def mention_parts(text: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """The text in parts, in order: each with the folded name that it mentions, or an empty one.

    ``names`` are the folded names that count. A full stop after a name is not part of it.
    """
    end = 0
    for match in _MENTION.finditer(text):
        name = _known(match["name"].casefold(), names)
        if name:
            yield text[end : match.start()], ""
            end = match.start("name") + len(name)
            yield text[match.start() : end], name
    yield text[end:], ""


def _known(written: str, names: Collection[str]) -> str:
    """The name as written, or without the punctuation that follows it; empty if unknown."""
    shorter = written.rstrip(_PUNCTUATION)
    return next((name for name in (written, shorter) if name in names), "")
