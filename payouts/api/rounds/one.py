"""``/rounds/{round}``: all about one round, and its bets, timeline and receipt by themselves."""

import hashlib
import json
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpResponse
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.trail.models import AuditRecord
from compliance.trail.nodes import NotInLog
from compliance.trail.proofs import prove_record
from compliance.trail.queries import records_of
from payouts.api.asked import CURSOR, LIMIT, Asked, cursor_of
from payouts.api.problems import Problem, kind
from payouts.api.rounds import described
from payouts.api.rounds.asking import customer_asked
from payouts.api.rounds.bets import bets_asked, bets_told
from payouts.api.rounds.finding import found_round
from payouts.api.rounds.told import moment, page_told, round_told
from payouts.api.scopes import Scope
from payouts.api.views import ApiView
from payouts.models import Settlement
from payouts.own_bets import NOTHING, own_sums
from payouts.pages.proofs import RECEIPT
from payouts.pages.words import action_words
from payouts.queries import Standing, settlements_of, standing_of, standings_of
from rounds.feed import document_of
from rounds.models import Customer, Round
from rounds.queries import facts_of

NOT_IN_LOG: Final = kind(
    "not-in-log",
    409,
    _("It is not in the signed log yet"),
    _("That takes seconds. Ask again after those that Retry-After says."),
)
_RETRY_SECONDS: Final = "2"
_MOST_RECORDS: Final = 100
_OF_BETS: Final = (LIMIT, CURSOR, "customer")
_DEALT: Final = ("shoe", "cards", "multipliers", "bonus", "disconnects", "incident")
_OF_PLAY: Final = (
    "ROUND_RECEIVED",
    "ROUND_HELD",
    "ROUND_SETTLED",
    "ROUND_VOIDED",
    "ROUND_RESETTLED",
    "ROUND_RULED",
)
"""What a customer's own key sees of the trail; the others tell how persons worked on the round."""


class _Seen(NamedTuple):
    """A round that the key may see, and whose bets it is asked for (None for everybody's)."""

    row: Round
    customer: Customer | None
    is_own: bool
    """Whether the key is the customer's own."""


class _OfRound(ApiView):
    """What is about one round."""

    needs = {"GET": (Scope.ROUNDS_READ,)}

    def seen(self, named: str, asked: Asked) -> _Seen:
        """The round. Raises Problem where the key sees none of that name."""
        customer, is_own = customer_asked(asked, self.caller), self.caller.key.customer is not None
        row = found_round(named, self.caller, customer if is_own else None)
        return _Seen(row, customer, is_own)


class RoundView(_OfRound):
    """A round with everything."""

    asks = {"GET": _OF_BETS}

    @extend_schema(**described.ROUND)
    def get(self, request: Request, round: str) -> HttpResponse:  # noqa: A002  the feed's own word
        """Facts, cards, bets, settlements, explanations, timeline, and where the proof is.

        By Sabot's id or by the studio's. With a customer's own token, that customer's bets and
        money alone. `ETag` changes with the standing, and `If-None-Match` saves asking for the
        same again: 304.
        """
        asked = Asked(request, (LIMIT, CURSOR, "customer"))
        seen = self.seen(round, asked)
        settlements = settlements_of(seen.row.id)
        standing = standing_of(seen.row.id, settlements)
        records = list(_records(seen)[:_MOST_RECORDS])
        etag = _etag(seen, standing, records, asked)
        if _is_known(request, etag):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=_kept(etag))
        bets = bets_told(seen.row, standing, bets_asked(seen.row, seen.customer, asked))
        told = _told(seen, standing, settlements) | {
            "bets": bets,
            "timeline": [_event(record, seen) for record in records],
        }
        return Response(told, headers=_kept(etag))


class RoundBetsView(_OfRound):
    """A round's bets, page by page."""

    asks = {"GET": _OF_BETS}

    @extend_schema(**described.BETS)
    def get(self, request: Request, round: str) -> Response:  # noqa: A002  as above
        """In the order of the feed, each with what it paid and why."""
        asked = Asked(request, (LIMIT, CURSOR, "customer"))
        seen = self.seen(round, asked)
        standing = standings_of([seen.row.id])[seen.row.id]
        return Response(bets_told(seen.row, standing, bets_asked(seen.row, seen.customer, asked)))


class RoundTimelineView(_OfRound):
    """What was recorded about a round."""

    asks = {"GET": (LIMIT, CURSOR)}

    @extend_schema(**described.TIMELINE)
    def get(self, request: Request, round: str) -> Response:  # noqa: A002  as above
        """Oldest first, from the audit trail."""
        asked = Asked(request, (LIMIT, CURSOR))
        seen = self.seen(round, asked)
        name = asked.name("timeline", seen.row.id.hex, seen.customer and seen.customer.pk)
        place, limit = asked.place(name), asked.limit(default=50, most=_MOST_RECORDS)
        records = _records(seen)
        if place is not None:
            records = records.filter(id__gt=UUID(place))
        found = list(records[: limit + 1])
        shown = found[:limit]
        following = cursor_of(name, shown[-1].id.hex) if len(found) > limit else None
        return Response(page_told((_event(record, seen) for record in shown), following))


class RoundReceiptView(_OfRound):
    """Proofs to take away."""

    @extend_schema(**described.RECEIPT)
    def get(self, request: Request, round: str) -> Response:  # noqa: A002  as above
        """That what is recorded about the round is in the signed log (docs/proof.md).

        409 for the seconds until the latest of it is there.
        """
        seen = self.seen(round, Asked(request, ()))
        try:
            records = [prove_record(one.pk) for one in _records(seen)]
        except NotInLog:
            raise Problem(NOT_IN_LOG, headers={"Retry-After": _RETRY_SECONDS}) from None
        return Response({"receipt": RECEIPT, "round": seen.row.reference, "records": records})


def _records(seen: _Seen) -> Any:  # noqa: ANN401  a QuerySet
    records = records_of(f"round:{seen.row.reference}")
    return records.filter(action__in=_OF_PLAY) if seen.is_own else records


def _event(record: AuditRecord, seen: _Seen) -> dict[str, Any]:
    return {
        "id": str(record.id),
        "at": moment(record.at),
        "action": record.action,
        "text": str(action_words(record.action)),
        "actor": None if seen.is_own else record.actor,
    }


def _told(seen: _Seen, standing: Standing, settlements: list[Settlement]) -> dict[str, Any]:
    row, customer = seen.row, seen.customer
    own = None if customer is None else own_sums(customer.pk, [row.id]).get(row.id, NOTHING)
    document = document_of(facts_of(row))
    dealt = {name: document.get(name) for name in _DEALT}
    if seen.is_own and customer is not None:
        entries = document.get("disconnects", [])
        dealt["disconnects"] = [one for one in entries if one["player"] == customer.pseudonym]
    return {
        **round_told(row, standing, own),
        **dealt,
        "disconnects": dealt["disconnects"] or [],
        "settlements": [_settlement(one, is_own=seen.is_own) for one in settlements],
    }


def _settlement(one: Settlement, *, is_own: bool) -> dict[str, Any]:
    """One of the decisions on the round's money; its sums are everybody's, as its deciders are."""
    return {
        "sequence": one.sequence,
        "kind": one.kind,
        "rules": one.rules,
        "settled_at": moment(one.settled_at),
        "reason": one.reason or None,
        "bonus": one.bonus,
        "staked_cents": None if is_own else one.staked_cents,
        "payout_cents": None if is_own else one.payout_cents,
        "chips_cents": None if is_own else one.chips_cents,
        "actor": None if is_own else one.actor,
        "approved_by": None if is_own else one.approved_by,
    }


def _etag(seen: _Seen, standing: Standing, records: list[AuditRecord], asked: Asked) -> str:
    """Of all that the answer depends on: the round's facts never change, its standing may."""
    depends_on = [
        seen.row.id.hex,
        standing.settlement.sequence if standing.settlement else 0,
        standing.status.value,
        list(standing.anomalies),
        records[-1].id.hex if records else "",
        seen.customer and seen.customer.pk,
        seen.is_own,
        get_language(),
        asked.name(asked.text(LIMIT), asked.text(CURSOR)),
    ]
    return f'"{hashlib.sha256(json.dumps(depends_on).encode()).hexdigest()[:32]}"'


def _kept(etag: str) -> dict[str, str]:
    """May be kept by whoever asked, and is asked for again each time."""
    return {"ETag": etag, "Cache-Control": "private, no-cache"}


def _is_known(request: Request, etag: str) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or etag in (one.removeprefix("W/") for one in known)
