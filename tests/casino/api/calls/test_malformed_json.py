"""Lone surrogates and deep nesting are client errors, also in the audit trail (issue 17).

Each of these once was a 500 whose record had another number and a status of success.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

import pytest
from django.http import HttpResponse

from casino.api.problems import FieldError
from compliance.trail.models import AuditRecord
from rounds.models import QuarantinedDocument, Round
from tests.casino.api.api_client import TOKENS, Program, a_customer, issued, json_of
from tests.casino.api.studio import ROUNDS, answers, delivered, studio
from tests.casino_in_play import open_table
from tests.documents import baccarat_round

pytestmark = pytest.mark.django_db

HALF: Final = b'"\\ud800"'
DEEP: Final = [b"[" * depth + b"]" * depth for depth in (1_000, 500_000)]
DEEP_OBJECTS: Final = b'{"a":' * 1_000 + b"1" + b"}" * 1_000
_CALLS: Final = ("customer-tokens", "disputes", "webhooks")


def calls_recorded() -> Sequence[dict[str, Any]]:
    """The recorded calls, oldest first."""
    rows = AuditRecord.objects.filter(action="API_CALLED").order_by("id")
    return [row.details for row in rows]


def assert_refused_as_recorded(answer: HttpResponse) -> None:
    """Asserts a 4xx that is recorded with the same number and status."""
    assert answer.status_code in (400, 422), answer.content
    last = calls_recorded()[-1]
    assert last["call"] == answer.headers["Request-Id"]
    assert last["call"] in json_of(answer)["instance"]
    assert last["status"] == answer.status_code == json_of(answer)["status"]


@pytest.mark.parametrize("path", _CALLS)
@pytest.mark.parametrize(
    "body",
    [
        b'{"customer": %s}' % HALF,
        b'{"customer": "p-1", %s: 1}' % HALF,
        b'{"round": "r-1", "reason": %s, "text": %s}' % (HALF, HALF),
        b'{"url": %s, "types": [%s]}' % (HALF, HALF),
        HALF,
        *DEEP,
        b'{"customer": %s}' % DEEP[0],
        DEEP_OBJECTS,
    ],
    ids=lambda body: body[:24].decode(),
)
def test_a_body_is_refused(path: str, body: bytes) -> None:
    """A malformed body is refused at every address, without effect."""
    a_customer()

    answer = Program(issued().token).call(
        "POST", f"/api/v1/{path}", body, once="1", Content_Type="application/json"
    )

    assert_refused_as_recorded(answer)


@pytest.mark.parametrize("path", _CALLS)
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"customer": "p-1", "customer": "p-2"}', 'the name "customer" twice'),
        (b'{"customer": {"a": 1, "a": 1}}', 'the name "a" twice'),
        (b'{"customer":', "broken at line 1, column 13"),
        (b"{'customer': None}", "broken at line 1, column 2"),
        (b'{"customer": "\xff"}', "not UTF-8 at byte 14"),
        (b'{"customer": NaN}', "contains NaN"),
        (b'{"customer": 1' + b"0" * 5_000 + b"}", "too many digits"),
    ],
    ids=["twice", "twice within", "cut", "Python", "Latin 1", "NaN", "long"],
)
def test_a_body_is_refused_in_our_words(path: str, body: bytes, said: str) -> None:
    """400 says what is wrong where, not what the decoder raised."""
    answer = Program(issued().token).call("POST", f"/api/v1/{path}", body, once="1")

    assert answer.status_code == 400
    assert said in json_of(answer)["detail"]


@pytest.mark.parametrize(
    "found", [{"a": None, "b": [True]}, [None, False], "None", None, True, 1, 0.5]
)
def test_what_was_found_is_json(found: Any) -> None:
    """Objects and lists as their JSON text, other values as they are."""
    shown = FieldError("/customer", found, "a string").to_json()["found"]

    assert (json.loads(shown) if isinstance(found, dict | list) else shown) == found


@pytest.mark.parametrize("name", ["round", "session", "player", "id"])
def test_a_round_with_a_lone_surrogate_is_quarantined(name: str) -> None:
    """It is quarantined byte for byte; the following lines of a stream are accepted."""
    open_table()
    document: Any = baccarat_round("r-1")
    within = document["bets"][0] if name in ("player", "id") else document
    within[name] = "x\ud800"
    line = json.dumps(document).encode()
    program = studio()

    single = program.call("POST", ROUNDS, line, Content_Type="application/json")
    stream = answers(delivered(program, line, baccarat_round("r-2")))

    assert_refused_of_single(single)
    assert [verdict["verdict"] for verdict in stream] == ["refused", "accepted"]
    assert (
        next(bytes(document.content).rstrip() for document in QuarantinedDocument.objects.all())
        == line
    )
    assert Round.objects.get().reference == "r-2"


def assert_refused_of_single(answer: HttpResponse) -> None:
    """Asserts a 422 with the place of the error, recorded under the same number."""
    assert answer.status_code == 422, answer.content
    by_number = {call["call"]: call["status"] for call in calls_recorded()}
    assert by_number[answer.headers["Request-Id"]] == 422


@pytest.mark.parametrize("depth", [100, 1_000, 500_000])
def test_a_deeply_nested_round_is_refused(depth: int) -> None:
    """The nesting may be in a field or around the whole document."""
    open_table()
    document = json.dumps(baccarat_round("r-1"))[:-1]
    nested = "[" * depth + "]" * depth
    program = studio()

    answer = delivered(program, f'{document}, "more": {nested}}}', nested, baccarat_round("r-2"))

    assert [verdict["verdict"] for verdict in answers(answer)] == ["refused", "refused", "accepted"]


def test_a_surrogate_pair_is_a_character() -> None:
    """A complete pair of escapes is decoded."""
    a_customer()

    answer = Program(issued().token).call(
        "POST", TOKENS, b'{"customer": "\\ud83c\\udcd1"}', once="1", Content_Type="application/json"
    )

    assert json_of(answer)["errors"][0]["found"] == "\U0001f0d1"


@pytest.mark.parametrize("query", ["customer=%ED%A0%80", "%ED%A0%80=1", "cursor=%ED%A0%80"])
def test_an_undecodable_query_is_refused(query: str) -> None:
    """A percent-encoded lone surrogate is answered 4xx."""
    answer = studio().get(f"{ROUNDS}?{query}")

    assert_refused_as_recorded(answer)


def test_an_undecodable_path_is_not_found() -> None:
    """A percent-encoded lone surrogate in the path is answered 404."""
    answer = studio().get(f"{ROUNDS}/r%ED%A0%80")

    assert answer.status_code == 404
    assert calls_recorded()[-1]["call"] == answer.headers["Request-Id"]


@pytest.mark.parametrize("header", ["Idempotency-Key", "If-None-Match", "Accept-Language"])
def test_an_undecodable_header_is_no_server_error(header: str) -> None:
    """Octets above 127 in headers are answered 200 or 400."""
    name = header.replace("-", "_")

    answer = studio().call("GET", ROUNDS, **{name: "\xed\xa0\x80"})

    assert answer.status_code in (200, 400)


def test_a_problem_never_has_a_lone_surrogate() -> None:
    """Lone surrogates are replaced by question marks."""
    assert FieldError("/\ud800", "a\ud800", "x").to_json() == {
        "field": "/?",
        "found": "a?",
        "needed": "x",
    }


def test_an_answer_that_cannot_be_rendered_is_recorded_as_500(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The record has the number and status of the answer; effects are rolled back."""
    a_customer()
    monkeypatch.setattr(
        "casino.api.rounds.round_list.round_page",
        lambda *_arguments: {"data": ["\ud800"], "next": None},
    )

    answer = studio().get(ROUNDS)

    assert answer.status_code == 500
    [last] = calls_recorded()
    assert (last["call"], last["status"]) == (answer.headers["Request-Id"], 500)
