"""Texts that were stored in English with values in them, in the language of the reader."""

import re
from collections.abc import Sequence
from itertools import chain, zip_longest

from django.utils.translation import gettext

_NAMED = re.compile(r"%\((\w+)\)s")


class StoredTexts:
    """The known texts, with ``%(NAME)s`` where a value stands; values stay as they are."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._without_values = frozenset(text for text in texts if "%(" not in text)
        self._with_values = [(_pattern_of(text), text) for text in texts if "%(" in text]

    def translate(self, text: str) -> str:
        """A stored text in the active language; one that is not known as it is."""
        if text in self._without_values:
            return gettext(text)
        for pattern, known in self._with_values:
            if match := pattern.fullmatch(text):
                return gettext(known) % match.groupdict()
        return text


def _pattern_of(text: str) -> re.Pattern[str]:
    """Matches ``text`` with any values in it."""
    literal, names = _NAMED.split(text)[::2], _NAMED.findall(text)
    groups = (f"(?P<{name}>.+)" for name in names)
    pairs = zip_longest(map(re.escape, literal), groups, fillvalue="")
    return re.compile("".join(chain.from_iterable(pairs)))
