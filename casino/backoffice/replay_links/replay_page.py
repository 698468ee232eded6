"""The replay of one round, for whoever has a link to it. No session, no account."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from casino.backoffice.replay_links.tokens import digest_of_token
from casino.backoffice.rounds.round_page import BetScope, dealt_context, ruling_in_force
from casino.page_policy import page_policy
from compliance.exports.models import ReplayLink
from compliance.exports.replay_links.replay_links import LinkEnded, LinkStatus, open_replay_link
from payouts.settlement.queries import settlement_statuses
from rounds.rules.catalogue import RULE_SETS

_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": page_policy(connect_src=[], form_action=[]),
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}
"""The address opens the round: no cache, search engine or other site gets it."""

_ENDED: Final[Mapping[LinkStatus, str | Promise]] = {
    LinkStatus.EXPIRED: _("This link has expired. Ask the operator who sent it for a new one."),
    LinkStatus.REVOKED: _("The operator has revoked this link. Ask who sent it for a new one."),
    LinkStatus.EXHAUSTED: _(
        "This link was opened too often. Ask the operator who sent it for a new one."
    ),
}
_UNKNOWN: Final = _("No replay exists at this address. Copy the whole link, to its last character.")


@require_GET
def show_replay(request: HttpRequest, token: str) -> HttpResponse:
    """The round of the link: 404 for no link of ours, 410 for one that has ended."""
    digest = digest_of_token(token)
    if digest is None:
        return _unknown(request)
    try:
        link = open_replay_link(token_digest=digest, at=timezone.now())
    except ReplayLink.DoesNotExist:
        return _unknown(request)
    except LinkEnded as error:
        return _answer(request, "ended", {"sentence": _ENDED[error.status]}, HTTPStatus.GONE)
    return _answer(request, "replay", _context(link, request.GET.get("bets_after")), HTTPStatus.OK)


def _unknown(request: HttpRequest) -> HttpResponse:
    return _answer(request, "ended", {"sentence": _UNKNOWN}, HTTPStatus.NOT_FOUND)


def _context(link: ReplayLink, bets_after: str | None) -> dict[str, Any]:
    """The cards, and the bets of the link's customer or, of the regulator's link, of all."""
    row = link.round
    status = settlement_statuses([row.id])[row.id]
    rules = RULE_SETS.get(row.rules)
    ruling = ruling_in_force(row, status)
    scope = BetScope(link.customer_id, shows_names=False)
    context: dict[str, Any] = {
        "row": row,
        "link": link,
        "status": status,
        "rules": rules,
        "ruling": ruling,
    }
    if rules is not None:
        context |= dealt_context(row, status, rules, ruling, bets_after=bets_after, scope=scope)
    return context


def _answer(
    request: HttpRequest, template: str, context: dict[str, Any], status: HTTPStatus
) -> HttpResponse:
    context = {"operator": settings.OPERATOR_NAME, **context}
    page = f"backoffice/replay_links/{template}.html"
    answer = render(request, page, context, status=status)
    for name, value in _HEADERS.items():
        answer.headers[name] = value
    return answer
