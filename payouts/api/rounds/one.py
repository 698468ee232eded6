"""``/rounds/{round}``: all about one round, and its bets, timeline and receipt by themselves."""

from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.trail.nodes import NotInLog
from compliance.trail.prepared import Pending, together
from compliance.trail.proofs import prove_record
from compliance.trail.queries import Event, ask_events, records_of
from payouts.api.asked import CURSOR, LIMIT, Asked, cursor_of
from payouts.api.etags import etag_of, is_known, kept
from payouts.api.problems import Problem, kind
from payouts.api.rounds import described
from payouts.api.rounds.asking import customer_asked
from payouts.api.rounds.bets import ask_page, bets_asked, bets_told, page_of_bets
from payouts.api.rounds.finding import found_round, is_seen, meant, no_such_round
from payouts.api.rounds.told import OF_PLAY, moment, page_told, round_told
from payouts.api.scopes import Scope
from payouts.api.views import ApiView
from payouts.models import Settlement
from payouts.own_bets import NOTHING, own_sums
from payouts.pages.proofs import RECEIPT
from payouts.pages.words import action_words
from payouts.queries import (
    Standing,
    ask_settlements,
    ask_validation,
    standing_with,
    standings_of,
)
from rounds.feed import document_of
from rounds.models import Customer, Round, Validation
from rounds.queries import ask_round, facts_of

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


class _Seen(NamedTuple):
    """A round that the key may see, and whose bets it is asked for (None for everybody's)."""

    row: Round
    customer: Customer | None
    is_own: bool
    """Whether the key is the customer's own."""


class _Decided(NamedTuple):
    """A round and what was decided on it, in order."""

    row: Round
    settlements: list[Settlement]
    validations: list[Validation]
    """The last one alone."""


class _OfRound(ApiView):
    """What is about one round."""

    needs = {"GET": (Scope.ROUNDS_READ,)}

    def seen(self, named: str) -> _Seen:
        """The round. Raises Problem where the key sees none of that name."""
        customer, is_own = self.whose()
        row = found_round(named, self.caller, customer if is_own else None)
        return _Seen(row, customer, is_own)

    def whose(self) -> tuple[Customer | None, bool]:
        """Whose bets are asked for, None for everybody's; whether the key is the customer's own."""
        return customer_asked(self.asked, self.caller), self.caller.key.customer is not None


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
        seen, settlements, standing = self._stands(round)
        page = bets_asked(seen.row, seen.customer, self.asked)
        with together():
            recorded = _ask_events(seen, most=_MOST_RECORDS)
            pending = ask_page(seen.row, standing, page)
        records = recorded.answer()
        etag = _etag(seen, standing, records, self.asked)
        if is_known(request, etag):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=kept(etag))
        told = _told(seen, standing, settlements) | {
            "bets": page_of_bets(seen.row, standing, page, pending),
            "timeline": [_event(record, seen) for record in records],
        }
        return Response(told, headers=kept(etag))

    def _stands(self, named: str) -> tuple[_Seen, list[Settlement], Standing]:
        """The round with all that was decided on it, for one round trip. Raises Problem."""
        customer, is_own = self.whose()
        found = meant(named, _decided)
        if found is None or not is_seen(found.row, self.caller, customer if is_own else None):
            raise no_such_round(named)
        standing = standing_with(found.settlements, found.validations)
        return _Seen(found.row, customer, is_own), found.settlements, standing


class RoundBetsView(_OfRound):
    """A round's bets, page by page."""

    asks = {"GET": _OF_BETS}

    @extend_schema(**described.BETS)
    def get(self, _request: Request, round: str) -> Response:  # noqa: A002  as above
        """In the order of the feed, each with what it paid and why."""
        seen = self.seen(round)
        standing = standings_of([seen.row.id])[seen.row.id]
        page = bets_asked(seen.row, seen.customer, self.asked)
        return Response(bets_told(seen.row, standing, page))


class RoundTimelineView(_OfRound):
    """What was recorded about a round."""

    asks = {"GET": (LIMIT, CURSOR)}

    @extend_schema(**described.TIMELINE)
    def get(self, _request: Request, round: str) -> Response:  # noqa: A002  as above
        """Oldest first, from the audit trail."""
        seen, asked = self.seen(round), self.asked
        name = asked.name("timeline", seen.row.id.hex, seen.customer and seen.customer.pk)
        place, limit = asked.place(name), asked.limit(default=50, most=_MOST_RECORDS)
        after = None if place is None else UUID(place)
        found = _ask_events(seen, most=limit + 1, after=after).answer()
        shown = found[:limit]
        following = cursor_of(name, shown[-1].id.hex) if len(found) > limit else None
        return Response(page_told((_event(record, seen) for record in shown), following))


class RoundReceiptView(_OfRound):
    """Proofs to take away."""

    @extend_schema(**described.RECEIPT)
    def get(self, _request: Request, round: str) -> Response:  # noqa: A002  as above
        """That what is recorded about the round is in the signed log (docs/proof.md).

        409 for the seconds until the latest of it is there.
        """
        seen = self.seen(round)
        try:
            records = [prove_record(one.pk) for one in _records(seen)]
        except NotInLog:
            raise Problem(NOT_IN_LOG, headers={"Retry-After": _RETRY_SECONDS}) from None
        return Response({"receipt": RECEIPT, "round": seen.row.reference, "records": records})


def _decided(identity: UUID) -> _Decided | None:
    with together():
        rounds = ask_round(identity)
        settled, validated = ask_settlements(identity), ask_validation(identity)
    found, settlements, validations = rounds.answer(), settled.answer(), validated.answer()
    return _Decided(found[0], settlements, validations) if found else None


def _records(seen: _Seen) -> Any:  # noqa: ANN401  a QuerySet
    records = records_of(f"round:{seen.row.reference}")
    return records.filter(action__in=OF_PLAY) if seen.is_own else records


def _ask_events(seen: _Seen, *, most: int, after: UUID | None = None) -> Pending[list[Event]]:
    actions = OF_PLAY if seen.is_own else None
    return ask_events(f"round:{seen.row.reference}", most=most, after=after, actions=actions)


def _event(record: Event, seen: _Seen) -> dict[str, Any]:
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


def _etag(seen: _Seen, standing: Standing, records: list[Event], asked: Asked) -> str:
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
    return etag_of(depends_on)
