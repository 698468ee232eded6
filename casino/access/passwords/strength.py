"""The strength of new passwords, estimated by zxcvbn: no rules of composition."""

import re
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from zxcvbn import zxcvbn

_WEAKEST: Final = 3
"""Of 0 to 4: a hundred million guesses, which at the login are out of reach."""
_ESTIMATED: Final = 72
"""Characters: the estimate takes the square of the length, and a longer rest only adds."""
_SHORTEST_WORD: Final = 3
_OF_SABOT: Final = ("sabot", "casino")

_HABITS: Final[dict[str, str | Promise]] = {
    "dictionary": gettext_lazy("a common password, word or name"),
    "spatial": gettext_lazy("a row of keys"),
    "repeat": gettext_lazy("a repetition"),
    "sequence": gettext_lazy("a sequence such as abc or 123"),
    "regex": gettext_lazy("a year"),
    "date": gettext_lazy("a date"),
}


class StrengthValidator:
    """Refuses passwords that are guessed in less than a hundred million attempts.

    Names of the person, the operator and Sabot count for nothing in a password.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Raises ValidationError, which names what is easy to guess."""
        rest = password
        for word in _known_words(user):
            rest = re.sub(re.escape(word), "", rest, flags=re.IGNORECASE)
        estimate = zxcvbn(rest[:_ESTIMATED])
        if estimate["score"] >= _WEAKEST:
            return
        found = [str(_HABITS[kind]) for kind in _habits(estimate["sequence"])]
        if rest != password:
            found.insert(0, _("your name, or that of the operator or of Sabot"))
        message = _(
            "This password is easy to guess. It contains: %(found)s. Add two or three uncommon"
            " words that have nothing to do with each other."
        )
        shown = "; ".join(found) or _("few characters")
        raise ValidationError(message % {"found": shown}, code="password_too_weak")

    def get_help_text(self) -> str:
        """The advice next to the field."""
        return _(
            "Several uncommon words make a strong password. Names, dates and rows of keys do not."
        )


def _known_words(user: User | None) -> Iterator[str]:
    """Words that everybody tries first, the longest first."""
    texts = [settings.OPERATOR_NAME, *_OF_SABOT]
    if user is not None:
        texts += [user.get_username(), user.first_name, user.last_name, user.email]
    words = {word for text in texts for word in re.split(r"[\W_]+", text)}
    yield from sorted((w for w in words if len(w) >= _SHORTEST_WORD), key=len, reverse=True)


def _habits(matches: list[dict[str, str]]) -> Iterator[str]:
    """The kinds of what the estimate recognized, each once, in the order of the password."""
    yield from dict.fromkeys(m["pattern"] for m in matches if m["pattern"] in _HABITS)
