"""Texts of a dossier's document: suit symbols, times, and who signed what."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final
from xml.sax.saxutils import escape

from django.utils import formats
from django.utils.translation import gettext as _

from compliance.exports.dossier.decisions import WITHHELD
from compliance.trail.action_labels import action_label
from compliance.trail.encoding import datetime_of
from rounds.formatting import in_rome

_SUITS: Final = re.compile("[\u2660\u2663\u2665\u2666]")
_THIN: Final = "\N{NO-BREAK SPACE}"
"""Wider gap after a suit symbol than the font provides."""
_RED: Final = "\u2665\u2666"
_SHORT: Final = 16
"""Digits of a key's id, as pages show it."""


def with_suits(text: str) -> str:
    """The text with suit symbols in a font that has them, in colour."""
    return _SUITS.sub(_suit, escape(text)).replace("\n", "<br/>")


def _suit(match: re.Match[str]) -> str:
    colour = "#c21f2b" if match[0] in _RED else "#161a20"
    return f'<font name="ZapfDingbats" color="{colour}">{match[0]}</font>{_THIN}'


def moment(text: str) -> str:
    """A time in Rome, in words."""
    local, zone = in_rome(datetime.fromisoformat(text))
    return formats.date_format(local, "j F Y, H:i:s") + zone


def day(text: str | None) -> str:
    """A day in words; empty for none."""
    return formats.date_format(date.fromisoformat(text), "j F Y") if text else ""


def decision_sentences(dossier: Mapping[str, Any]) -> Iterator[str]:
    """Who decided, when, and with which key they signed; nothing for older dossiers."""
    for line in dossier.get("signatures", ()):
        at, actor, _account, action, subject, _details = json.loads(line["record"])
        words = {
            "decision": action_label(action),
            "subject": subject.partition(":")[2],
            "person": actor,
            "when": moment(datetime_of(at).isoformat()),
            "key": line.get("key", "")[:_SHORT],
        }
        yield _sentence(line) % words
        if WITHHELD in line:
            yield _("The signed text contains decisions about others, too, and is withheld.")


def _sentence(line: Mapping[str, Any]) -> str:
    if "signature" in line:
        return _("%(decision)s %(subject)s: %(person)s, %(when)s, signed with key %(key)s.")
    if "from_before_signatures" in line:
        return _("%(decision)s %(subject)s: %(person)s, %(when)s, before decisions were signed.")
    return _("%(decision)s %(subject)s: %(person)s, %(when)s, without a signature.")
