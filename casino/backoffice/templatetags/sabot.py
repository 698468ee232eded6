"""Filters and tags of the site's pages."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django import template
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from casino.access.roles import role_label
from casino.backoffice.feed.rejection_texts import translate_rejection
from casino.backoffice.integrations.response_texts import translate_response
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.term_meanings import meaning_of
from casino.backoffice.site.timeline import dot_of
from casino.backoffice.templatetags import display
from casino.backoffice.templatetags.display import badge, icon
from compliance.trail.action_labels import action_label
from compliance.trail.people import name_of
from payouts.cases.models import Case
from rounds.formatting import (
    NONE,
    count,
    euro,
    in_rome,
    is_italian,
    money,
    weekday,
)
from rounds.models import Bet, Customer
from rounds.rules.ambiguities.ambiguity import Ambiguity
from rounds.rules.ambiguities.register import REGISTER

register = template.Library()
register.filters.update(display.register.filters)
register.tags.update(display.register.tags)
register.filter("rejection", translate_rejection)
register.filter("response", translate_response)
register.filter(role_label)
register.filter(action_label)
register.filter(actor_label)


@register.inclusion_tag("backoffice/site/sandbox.html")
def sandbox_note() -> dict[str, object]:
    """The note on every page of a sandbox; nothing elsewhere."""
    return {"is_sandbox": settings.SANDBOX, "reset_at": settings.SANDBOX_RESET_AT}


@register.filter
def explained(heading: str) -> str:
    """A table heading, with the meaning of its term as tooltip if it needs one."""
    meaning = meaning_of(str(heading))
    return format_html('<abbr title="{}">{}</abbr>', meaning, heading) if meaning else str(heading)


_A_MOMENT: Final = timedelta(milliseconds=1)
_MINUTES: Final = 60
_HOURS: Final = 24


@register.filter
def last_day(due_at: datetime) -> str:
    """The day in Rome whose end is the time limit."""
    local, _zone = in_rome(due_at - _A_MOMENT)
    return weekday(local)


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
def timeline_dot(history: str, action: str) -> SafeString:
    """The dot of a timeline entry, by the kind of history and the action."""
    colour, name = dot_of(history, action)
    return format_html('<span class="dot dot-{}">{}</span>', colour, icon(name))
