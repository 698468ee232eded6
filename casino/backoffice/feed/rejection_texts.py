"""Reasons for which documents of the feed were rejected, in the language of the reader.

The feed's readers state the value found and what is needed in English, the language of the API, and
they are stored so. Pages translate them: a text here is the reader's, with ``%(NAME)s`` where it
names a value. Values of documents, such as ``'8H'``, stay as they are.
"""

import re
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from casino.backoffice.site.stored_texts import StoredTexts

_FOUND: Final = (
    _("nothing"),
    _('"%(round)s", whose month is in the archive, with other content'),
    _("a list of %(count)s"),
    _("an object of %(count)s fields"),
    _("an integer of great length"),
    _("an unknown field"),
    _("%(value)s again"),
    _("the key %(key)s twice in one object"),
    _("no UTF-8 at byte %(byte)s"),
    _("half of a character in %(text)s"),
    _("JSON nested too deeply"),
    _("broken JSON at line %(line)s, column %(column)s"),
    _("a second %(kind)s bet of %(player)s on box %(box)s"),
    _("%(player)s on box %(box)s, which is %(owner)s's"),
    _("%(player)s beside %(other)s"),
    _("insurance of a golden chip on box %(box)s"),
)
_NEEDED: Final = (
    _("a value: the field is required"),
    _("one of %(names)s"),
    _("an object"),
    _("one JSON object"),
    _("JSON in UTF-8"),
    _("numbers of fewer digits"),
    _("JSON, which has no such number"),
    _("it once"),
    _("whole characters (RFC 8259, 8.2)"),
    _("at most %(count)s levels"),
    _("text and numbers that can be stored"),
    _("text of at least one character"),
    _("text of at most %(count)s characters"),
    _("a SHA-256 in hexadecimal"),
    _("true or false"),
    _("an integer from 0 on"),
    _("a list"),
    _("1 to 64 of A-Z a-z 0-9 . _ : -"),
    _('an amount in euro with at most two decimals, such as "10.00"'),
    _('a moment in UTC, such as "2026-11-21T21:10:15Z"'),
    _('a card, such as "8H"'),
    _('a place and a card, such as ["1", "8H"]'),
    _("'round/1' or 'shoe/1'"),
    _("a registered table"),
    _("a table of the key: %(tables)s"),
    _('"%(rules)s", which the table %(table)s runs'),
    _("the content that is archived, or its month restored first"),
    _("%(day)s (Europe/Rome) or later: the rule set is in force from that day"),
    _("at most %(seconds)s seconds after its arrival at %(time)s"),
    _("opened_at or later"),
    _("closed_at or later"),
    _("an id of its own"),
    _("more than nothing"),
    _("at most %(count)s bets"),
    _("no box: the table has none"),
    _("an integer from 1 to %(count)s, a box of the table"),
    _("nothing: only a main bet is raised"),
    _("nothing: only the owner of a hand plays it"),
    _("nothing: only a main bet behind follows"),
    _("nothing: %(rules)s has no shoe"),
    _("nothing: %(rules)s has none"),
    _("false: %(rules)s has no bets behind"),
    _('decisions of H, S, D, Z, P, such as "PH,D"'),
    _("'cash': %(rules)s takes no golden chips for %(kind)s"),
    _("insurance of cash bets only"),
    _("one of a player on a box"),
    _("one owner a box"),
    _("one player a round"),
    _("one entry a player"),
    _("at most the %(count)s cards of the round"),
    _("how many cards the player had seen"),
    _("an object of cards and their values"),
    _('text, such as "2.5"'),
    _("a list of cells and their multipliers"),
    _('a cell and its multiplier, such as [1, "2"]'),
    _("an object of sections"),
    _('a boost or a star, such as {"boost": "2"}'),
    _('a whole number in text, such as "8"'),
)
_REASON: Final = re.compile(r"(?P<field>.+?): found (?P<found>.+), needed (?P<needed>.+)")
"""How ``FeedError`` states itself in audit records."""
_TEXTS: Final = StoredTexts((*_FOUND, *_NEEDED))


def translate_rejection(text: str) -> str:
    """A value found or needed, as the reader stated it, in the active language."""
    return _TEXTS.translate(text)


def translate_reason(text: str) -> str:
    """The reason of a quarantine record in the active language; another reason as it is."""
    match = _REASON.fullmatch(text)
    if match is None:
        return text
    field, found, needed = match.groups()
    return f"{field}: " + gettext("Found %(found)s; expected %(needed)s") % {
        "found": translate_rejection(found),
        "needed": translate_rejection(needed),
    }
