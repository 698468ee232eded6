"""What lets a page update itself, and the numbers of the bell and the menu."""

import time
from typing import Any, Final

from django import template
from django.db.models import prefetch_related_objects
from django.utils.html import format_html
from django.utils.safestring import SafeString

from casino.access.current_user import request_user
from casino.access.roles import AUDITOR
from casino.backoffice.today.waiting import Count, counts_for

register = template.Library()

_BUILT_WITHIN: Final = 2_000
"""Milliseconds from a page's first query to here. A change that it already shows does nothing."""


@register.simple_tag
def live_since() -> int:
    """The time, in milliseconds since 1970, from which on the page may have missed a change."""
    return time.time_ns() // 1_000_000 - _BUILT_WITHIN


@register.simple_tag(takes_context=True)
def live_attributes(context: Any) -> SafeString:
    """The topics of the page (``live``), and how it follows them.

    Lists offer to show what is new. So do the pages of auditors, because each page that is sent to
    them is recorded in the audit trail, and pages whose scripts begin at loading (``live_asks``).
    """
    topics = context.get("live")
    if not topics:
        return SafeString("")
    kind = " data-live-list" if context.get("list_name") else ""
    person = request_user(context["request"])
    prefetch_related_objects([person], "groups")  # one query for all that names the roles
    is_recorded = any(group.name == AUDITOR for group in person.groups.all())
    ask = " data-live-ask" if is_recorded or context.get("live_asks") else ""
    return format_html(' data-live="{}"' + kind + ask, topics)


@register.simple_tag(takes_context=True)
def waiting_count(context: Any, kind: str) -> Count | None:
    """A number of this kind, for the user; all of a page are asked for together."""
    request = context["request"]
    if not hasattr(request, "waiting_counts"):
        person = request_user(request)
        prefetch_related_objects([person], "groups")  # the header names the roles
        request.waiting_counts = counts_for(person)
    counts: dict[str, Count] = request.waiting_counts
    return counts.get(kind)
