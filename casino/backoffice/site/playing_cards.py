"""Playing cards and suits as pages show them."""

from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop, pgettext

from rounds.rules.cards import RED_SUITS

_SUITS: Final = {
    "S": ("spades", gettext_noop("%(rank)s of spades")),
    "H": ("hearts", gettext_noop("%(rank)s of hearts")),
    "D": ("diamonds", gettext_noop("%(rank)s of diamonds")),
    "C": ("clubs", gettext_noop("%(rank)s of clubs")),
}
_SIGNS: Final = {
    "S": "\N{BLACK SPADE SUIT}",
    "H": "\N{BLACK HEART SUIT}",
    "D": "\N{BLACK DIAMOND SUIT}",
    "C": "\N{BLACK CLUB SUIT}",
}


def card_text(code: str) -> str:
    """A card as text."""
    return f"{code[0].replace('T', '10')}{_SIGNS[code[1]]}"


def playing_card(code: str, size: str = "m") -> SafeString:
    """A playing card; ``size`` is ``l``, ``m`` or ``s``; ``code`` is in feed format."""
    rank, suit = code[0].replace("T", "10"), code[1]
    name, words = _SUITS[suit]
    red = "is-red" if suit in RED_SUITS else "is-black"
    label = gettext(words) % {"rank": _rank_name(rank)}
    return format_html(_FACES[size], size=size, red=red, label=label, rank=rank, suit=name)


def suit_sign(suit: str) -> SafeString:
    """A suit symbol with its name for screen readers."""
    names = {
        "S": gettext("Spades"),
        "H": gettext("Hearts"),
        "D": gettext("Diamonds"),
        "C": gettext("Clubs"),
    }
    red = "is-red" if suit in RED_SUITS else "is-black"
    return format_html(
        '<svg class="suit {}" viewBox="0 0 14 14" role="img" aria-label="{}">'
        '<use href="#suit-{}" width="14" height="14"/></svg>',
        red,
        names[suit],
        _SUITS[suit][0],
    )


def _rank_name(rank: str) -> str:
    names = {
        "A": pgettext("card", "Ace"),
        "J": pgettext("card", "Jack"),
        "Q": pgettext("card", "Queen"),
        "K": pgettext("card", "King"),
    }
    return names.get(rank, rank)


_BIG_FACE: Final = (
    '<svg class="card card-{size} {red}" viewBox="0 0 60 84" role="img" aria-label="{label}">'
    '<rect class="paper" x=".5" y=".5" width="59" height="83" rx="6"/>'
    '<text x="7" y="24" class="rank">{rank}</text>'
    '<use href="#suit-{suit}" x="7" y="30" width="14" height="14"/>'
    '<use href="#suit-{suit}" x="26" y="49" width="28" height="28"/></svg>'
)
_FACES: Final = {
    "l": _BIG_FACE,
    "m": _BIG_FACE,
    "s": (
        '<svg class="card card-{size} {red}" viewBox="0 0 27 21" role="img" aria-label="{label}">'
        '<rect class="paper" x=".5" y=".5" width="26" height="20" rx="3.5"/>'
        '<text x="13" y="14.6" class="rank" text-anchor="end">{rank}</text>'
        '<use href="#suit-{suit}" x="14.5" y="5.5" width="9.5" height="9.5"/></svg>'
    ),
}
