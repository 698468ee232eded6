"""Filters and tags for money, times, cards and statuses."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django import template
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop, pgettext

from casino.access.roles import role_label
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.badges import BADGES
from casino.backoffice.site.term_meanings import meaning_of
from casino.backoffice.site.timeline import dot_of
from compliance.trail.action_labels import action_label
from compliance.trail.people import name_of
from payouts.cases.models import Case
from rounds.explanations.sentences import rule_summary, rule_title
from rounds.formatting import (
    NONE,
    bet_kind_label,
    count,
    euro,
    in_rome,
    is_italian,
    long_day,
    moment,
    money,
    percent,
    short_day,
    weekday,
)
from rounds.models import Bet, Customer
from rounds.rules.ambiguities.ambiguity import Ambiguity
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.cards import RED_SUITS

register = template.Library()
register.filter(money)
register.filter("bet_kind", bet_kind_label)
register.filter(euro)
register.filter(count)
register.filter(percent)
register.filter(moment)
register.filter("day", short_day)
register.filter(weekday)
register.filter(long_day)
register.filter(rule_title)
register.filter(rule_summary)
register.filter(role_label)
register.filter(action_label)
register.filter(actor_label)


@register.filter
def explained(heading: str) -> str:
    """A table heading, with the meaning of its term as tooltip if it needs one."""
    meaning = meaning_of(str(heading))
    return format_html('<abbr title="{}">{}</abbr>', meaning, heading) if meaning else str(heading)


_A_MOMENT: Final = timedelta(milliseconds=1)
_MINUTES: Final = 60
_HOURS: Final = 24
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


@register.filter
def last_day(due_at: datetime) -> str:
    """The day in Rome whose end is the time limit."""
    local, _zone = in_rome(due_at - _A_MOMENT)
    return weekday(local)


@register.filter
def clock(at: datetime) -> str:
    """The time of day in Rome, with seconds."""
    local, zone = in_rome(at)
    return f"{local:%H:%M:%S}{zone}"


@register.filter
def waited(since: datetime) -> str:
    """The elapsed time in minutes, hours or days."""
    minutes = max(int((timezone.now() - since).total_seconds()), 0) // 60
    if minutes < _MINUTES:
        return gettext("%(number)s min") % {"number": minutes}
    hours = minutes // _MINUTES
    if hours < 2 * _HOURS:
        return gettext("%(number)s h") % {"number": hours}
    return gettext("%(number)s days") % {"number": count(hours // _HOURS)}


@register.filter
def digest(content: bytes | memoryview | None) -> SafeString | str:
    """A digest as three groups of four; complete on click."""
    if not content:
        return NONE
    whole = bytes(content).hex()
    short = "·".join(whole[at : at + 4] for at in (0, 4, 8))
    return format_html(
        '<details class="digest"><summary>{}</summary><code>{}</code></details>', short, whole
    )


@register.filter
def signed(cents: int | None) -> str:
    """An amount with its sign; zero has none."""
    if cents is None:
        return NONE
    sign = "+" if cents > 0 else "\N{MINUS SIGN}" if cents < 0 else ""
    return f"{sign}{money(abs(cents))}"


@register.filter
def signed_euro(cents: int) -> str:
    """An amount in euros with its sign; zero has none."""
    return f"+{euro(cents)}" if cents > 0 else euro(cents)


@register.filter
def staked(bet: Bet) -> int:
    """The total stake of a bet, in cents."""
    return bet.stake_cents + bet.raised_cents


@register.filter
def hex_of(content: bytes | memoryview | None) -> str:
    """Bytes as hexadecimal digits."""
    return bytes(content or b"").hex()


@register.simple_tag
def reason_label(case: Case) -> str:
    """The reason of a case, worded as at its opening, in the active language."""
    return case.reason_it if is_italian() else case.reason_en


@register.simple_tag
def case_badge(stage: str) -> SafeString:
    """The badge of a case."""
    return badge(f"case-{stage}")


@register.simple_tag
def case_round_badge(state: str) -> SafeString:
    """The badge of a round of a case."""
    return badge(f"case-round-{state}")


@register.simple_tag
def dispute_badge(state: str) -> SafeString:
    """The badge of a dispute."""
    return badge(f"dispute-{state}")


@register.simple_tag
def bet_badge(outcome: str) -> SafeString:
    """The badge of a bet."""
    return badge(f"bet-{outcome}")


@register.simple_tag
def card_text(code: str) -> str:
    """A card as text."""
    return f"{code[0].replace('T', '10')}{_SIGNS[code[1]]}"


@register.filter
def anomaly_texts(codes: Iterable[str]) -> list[str]:
    """The descriptions of anomalies."""
    return [gettext(ANOMALIES[code]) for code in codes]


@register.filter
def readings(keys: Iterable[str]) -> list[Ambiguity]:
    """Rule interpretations by their keys, as in ``Citation.rests_on``."""
    return [REGISTER[key] for key in keys]


@register.filter
def person_name(person: User) -> str:
    """First and last name, or the user name."""
    return name_of(person) or ""


@register.filter
def customer_link(customer: Customer | str) -> SafeString:
    """A customer or pseudonym as a link to the customer's page."""
    address = reverse("admin:rounds_customer_changelist", query={"pseudonym": str(customer)})
    return format_html('<a class="plain" href="{}">{}</a>', address, customer)


@register.simple_tag
def badge(state: str) -> SafeString:
    """A status as colour, icon and label."""
    colour, name, label = BADGES[state]
    return format_html('<span class="badge badge-{}">{}{}</span>', colour, icon(name), label)


@register.simple_tag
def stuck_badge(kind: str) -> SafeString:
    """The badge of a kind of item."""
    return badge(f"stuck-{kind}")


@register.inclusion_tag("backoffice/ledger/record_value.html")
def record_value(value: object) -> dict[str, object]:
    """A value of an audit record's details; lists and objects with their parts."""
    match value:
        case True | False:
            kind = "yes" if value else "no"
        case None | "" | []:
            kind = "nothing"
        case dict():
            return {"kind": "object", "items": value.items()}
        case list():
            kind = "list"
        case _:
            kind = "text"
    return {"kind": kind, "value": value}


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of the sprite; decorative."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#icon-{}"/></svg>', name)


@register.simple_tag
def timeline_dot(history: str, action: str) -> SafeString:
    """The dot of a timeline entry, by the kind of history and the action."""
    colour, name = dot_of(history, action)
    return format_html('<span class="dot dot-{}">{}</span>', colour, icon(name))


@register.simple_tag
def playing_card(code: str, size: str = "m") -> SafeString:
    """A playing card; ``size`` is ``l``, ``m`` or ``s``; ``code`` is in feed format."""
    rank, suit = code[0].replace("T", "10"), code[1]
    name, words = _SUITS[suit]
    red = "is-red" if suit in RED_SUITS else "is-black"
    label = gettext(words) % {"rank": _rank_name(rank)}
    return format_html(_FACES[size], size=size, red=red, label=label, rank=rank, suit=name)


@register.simple_tag
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
