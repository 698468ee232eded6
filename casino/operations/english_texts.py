"""The English original of a text that a page showed, without the values that it was filled with.

A log names what the program said, never what somebody typed: a text that is none of the program's
own is not given at all.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.utils.translation import trans_real

UNKNOWN: Final = "a text with details, which is not logged"

_VALUE: Final = re.compile(r"%(?:\(\w+\))?[.\d]*[a-z]|%%|\{\w*\}")
_LONGEST: Final = 1000
_FEWEST_LETTERS: Final = 10
"""A template with fewer letters of its own, as ``%(name)s: %(text)s``, would fit anything."""


class _Template(NamedTuple):
    """A text with values, in one language."""

    parts: tuple[str, ...]
    """What is between the values."""
    values: tuple[str, ...]
    """Their placeholders."""
    english: str

    @property
    def letters(self) -> int:
        """How much of it is not a value."""
        return sum(map(len, self.parts))

    def values_in(self, text: str) -> Mapping[str, str] | None:
        """What stands for each placeholder; None if the text is another."""
        first, *others = self.parts
        if not (text.startswith(first) and text.endswith(others[-1])):
            return None
        found, at = {}, len(first)
        for number, (value, part) in enumerate(zip(self.values, others, strict=True), start=1):
            is_last = number == len(others)
            end = len(text) - len(part) if is_last else text.find(part, at)
            if end < at:
                return None
            found[value] = text[at:end]
            at = end + len(part)
        return found


class _Texts(NamedTuple):
    """The program's texts, in every language of the pages."""

    whole: Mapping[str, str]
    templates: list[_Template]
    """The most specific first."""


def english_of(text: str) -> str:
    """The original of a text in any language of the pages; its values stay placeholders.

    Of values only those are given that are texts of the program, as the reason in a longer one.
    What precedes a colon, as the label of a field, is left out if the rest is known.
    """
    if len(text) > _LONGEST:
        return UNKNOWN
    return _original(text) or _original(text.partition(": ")[2]) or UNKNOWN


def _original(text: str) -> str:
    """Empty if it is unknown."""
    texts = _texts()
    if text in texts.whole:
        return texts.whole[text]
    for template in texts.templates:
        values = template.values_in(text)
        if values is not None:
            english = template.english
            for placeholder, value in values.items():
                english = english.replace(placeholder, texts.whole.get(value, placeholder))
            return english
    return ""


@cache
def _texts() -> _Texts:
    whole: dict[str, str] = {}
    templates: list[_Template] = []
    for code, _name in settings.LANGUAGES:
        translation: Any = trans_real.translation(code)
        catalog = translation._catalog  # noqa: SLF001  as Django's JavaScriptCatalog reads it
        for key, translated in catalog.items():
            english = (key if isinstance(key, str) else key[0]).rpartition("\x04")[2]
            for text in filter(None, (english, translated)):
                whole.setdefault(text, english)
                if values := tuple(_VALUE.findall(text)):
                    templates.append(_Template(tuple(_VALUE.split(text)), values, english))
    long = [template for template in templates if template.letters >= _FEWEST_LETTERS]
    return _Texts(whole, sorted(long, key=lambda template: -template.letters))
