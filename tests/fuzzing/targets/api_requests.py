"""What URLs and headers of the API say: query parameters, cursors, entity tags, languages."""

import json
from datetime import date
from typing import Any, Final

from django.test import RequestFactory
from rest_framework.request import Request

import tests.fuzzing.django_setup  # noqa: F401  before models are imported
from casino.access.lockout_by_address import address_of
from casino.api.etags import etag_of, is_not_modified, is_precondition_failed
from casino.api.language import activate_language
from casino.api.query_params import QueryParams, make_cursor
from casino.api.views import idempotency_key
from casino.backoffice.search.days import day_in
from casino.backoffice.site.keyset_paging import key_of
from casino.integrations.tokens import parse_token
from compliance.trail.models import AuditRecord
from rounds.amounts import parse_amount, parse_unambiguous_amount
from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target
from tests.fuzzing.targets.api_bodies import check_refusal

_MOST: Final = 200
_NAMES: Final = ("limit", "cursor", "since", "day", "sort", "expand", "customer")
_HEADERS: Final = ("If-None-Match", "If-Match", "Idempotency-Key", "Accept-Language", "Forwarded")
_TODAY: Final = date(2026, 11, 27)
_requests: Final = RequestFactory()


def check(data: bytes) -> None:
    """A query, headers and what a person types: ``{"query": "…", "headers": {…}, "text": "…"}``."""
    try:
        call = json.loads(data)
    except (ValueError, RecursionError):
        call = {"query": data.decode("latin-1"), "text": data.decode(errors="replace")}
    if isinstance(call, dict):
        _check_call(_text(call.get("query")), call.get("headers"))
        _check_typed(_text(call.get("text")))


def _check_call(query: str, headers: Any) -> None:
    given = headers if isinstance(headers, dict) else {}
    named = {name: _text(given[name]) for name in _HEADERS if name in given}
    sent = _requests.get("/api/v1/x", headers=named, QUERY_STRING=query)
    request = Request(sent)
    for read in (_read_params, _read_headers, idempotency_key):
        try:
            read(request)
        except Exception as error:
            check_refusal(error, request)


def _read_params(request: Request) -> None:
    params = QueryParams(request, _NAMES)
    size = params.limit(default=50, most=_MOST)
    assert 1 <= size <= _MOST
    key = params.list_key("fuzzing")
    for read in (params.timestamp, params.day):
        moment = read("since" if read == params.timestamp else "day")
        assert moment is None or moment.isoformat()
    params.choice("sort", ["opened", "-opened"])
    params.choices("expand", ["bets", "timeline"])
    assert params.position(key) in (None, "1")


def _read_headers(request: Request) -> None:
    etag = etag_of({"a": 1})
    named = request.headers.get("If-Match")
    assert not is_not_modified(request, etag) or "If-None-Match" in request.headers
    assert not is_precondition_failed(request, etag) or named is not None
    activate_language(request._request)
    address_of(request._request)
    parse_token(request.headers.get("Idempotency-Key", ""))


def _check_typed(text: str) -> None:
    day_in(text, today=_TODAY)
    for parse in (parse_amount, parse_unambiguous_amount):
        cents = parse(text)
        assert cents is None or (type(cents) is int and cents >= 0)
    key_of(AuditRecord, text)


def _text(value: Any) -> str:
    """A text as a WSGI server decodes it; it refuses line ends."""
    text = value if isinstance(value, str) else ""
    text = text.encode("latin-1", "replace").decode("latin-1")
    return text.replace("\n", "").replace("\r", "").replace("\0", "")


def seeds() -> list[bytes]:
    """Calls with everything that there is."""
    empty = QueryParams(Request(_requests.get("/api/v1/x")), _NAMES).list_key("fuzzing")
    queries = (
        *("limit=50", "limit=0200&sort=-opened", f"cursor={make_cursor(empty, '1')}"),
        *("since=2026-11-21T21:10:10Z&day=2026-11-21", "expand=bets,timeline&customer=p%2D1"),
        *("limit=1&limit=2", "since=9999-12-31T23:59:59-23:59", "day=2026-W01-1", "x=%00"),
    )
    headers = {
        "If-None-Match": '"a", W/"b", *',
        "If-Match": '"c"',
        "Idempotency-Key": f"sabot_live_{'x' * 12}_{'y' * 43}",
        "Accept-Language": "it-IT,it;q=0.9,en;q=0.8",
        "Forwarded": 'for="[2001:db8::1]:80"',
    }
    texts = ("24.11", "29/02/2024", "yesterday", "2026-11-24", "€ 1.234,50", "210", "a'1")
    calls = [{"query": query, "headers": headers, "text": "1"} for query in queries]
    calls += [{"query": "", "headers": {}, "text": text} for text in texts]
    return [json.dumps(call).encode() for call in calls]


TARGET = Target(check, seeds, JsonMutation(seeds()), longest=1024)
