"""Filters and tags for money, times, cards, rules and statuses. They need no database."""

from collections.abc import Iterable
from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from casino.backoffice.site.badges import BADGES
from casino.backoffice.site.playing_cards import card_text, playing_card, suit_sign
from rounds.explanations.sentences import rule_summary, rule_title
from rounds.formatting import (
    bet_kind_label,
    count,
    duration,
    euro,
    in_rome,
    long_day,
    moment,
    money,
    percent,
    short_day,
    weekday,
)
from rounds.rules.anomalies import ANOMALIES

register = template.Library()
register.filter(money)
register.filter("bet_kind", bet_kind_label)
register.filter(euro)
register.filter(count)
register.filter(duration)
register.filter(percent)
register.filter(moment)
register.filter("day", short_day)
register.filter(weekday)
register.filter(long_day)
register.filter(rule_title)
register.filter(rule_summary)
register.simple_tag(card_text)
register.simple_tag(playing_card)
register.simple_tag(suit_sign)


@register.filter
def clock(at: datetime) -> str:
    """The time of day in Rome, with seconds."""
    local, zone = in_rome(at)
    return f"{local:%H:%M:%S}{zone}"


@register.filter
def anomaly_texts(codes: Iterable[str]) -> list[str]:
    """The descriptions of anomalies."""
    return [gettext(ANOMALIES[code]) for code in codes]


@register.simple_tag
def badge(state: str) -> SafeString:
    """A status as colour, icon and label."""
    colour, name, label = BADGES[state]
    return format_html('<span class="badge badge-{}">{}{}</span>', colour, icon(name), label)


@register.simple_tag
def bet_badge(outcome: str) -> SafeString:
    """The badge of a bet."""
    return badge(f"bet-{outcome}")


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of the sprite; decorative."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#icon-{}"/></svg>', name)
