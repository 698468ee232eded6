"""Lone surrogates and endless nesting are client errors, also in the trail (issue 17).

Found by trying: each of these was answered 500, under another number than the trail had, where the
trail said that all went well.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

import pytest
from django.http import HttpResponse

from casino.api.problems import FieldError
from compliance.trail.models import AuditRecord
from rounds.models import QuarantinedDocument, Round
from tests.casino.api.calling import TOKENS, Program, a_customer, issued, json_of
from tests.casino.api.studio import ROUNDS, answers, delivered, studio
from tests.casino_in_play import open_table
from tests.documents import baccarat_round

pytestmark = pytest.mark.django_db

HALF: Final = b'"\\ud800"'
DEEP: Final = [b"[" * depth + b"]" * depth for depth in (1_000, 500_000)]
DEEP_OBJECTS: Final = b'{"a":' * 1_000 + b"1" + b"}" * 1_000
_CALLS: Final = ("customer-tokens", "disputes", "webhooks")


def calls_recorded() -> Sequence[dict[str, Any]]:
    """What the trail has of calls, in order."""
    rows = AuditRecord.objects.filter(action="API_CALLED").order_by("id")
    return [row.details for row in rows]


def assert_refused_as_recorded(answer: HttpResponse) -> None:
    """4xx, and the trail has this very number and status."""
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
    """Wherever in it; nothing is done."""
    a_customer()

    answer = Program(issued().token).call(
        "POST", f"/api/v1/{path}", body, once="1", Content_Type="application/json"
    )

    assert_refused_as_recorded(answer)


@pytest.mark.parametrize("name", ["round", "session", "player", "id"])
def test_a_round_is_refused_wherever_it_has_half_a_character(name: str) -> None:
    """And kept for persons as it came; a stream goes on behind it."""
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
    """422 with the place; the trail's call of the same number says so."""
    assert answer.status_code == 422, answer.content
    by_number = {call["call"]: call["status"] for call in calls_recorded()}
    assert by_number[answer.headers["Request-Id"]] == 422


@pytest.mark.parametrize("depth", [100, 1_000, 500_000])
def test_a_round_that_is_nested_without_end_is_refused(depth: int) -> None:
    """In a field of its own, or as the whole document."""
    open_table()
    document = json.dumps(baccarat_round("r-1"))[:-1]
    nested = "[" * depth + "]" * depth
    program = studio()

    answer = delivered(program, f'{document}, "more": {nested}}}', nested, baccarat_round("r-2"))

    assert [verdict["verdict"] for verdict in answers(answer)] == ["refused", "refused", "accepted"]


def test_a_whole_pair_of_escapes_is_a_character() -> None:
    """Half of one and its other half are one: the club is not refused."""
    a_customer()

    answer = Program(issued().token).call(
        "POST", TOKENS, b'{"customer": "\\ud83c\\udcd1"}', once="1", Content_Type="application/json"
    )

    assert json_of(answer)["errors"][0]["found"] == "\U0001f0d1"


@pytest.mark.parametrize("query", ["customer=%ED%A0%80", "%ED%A0%80=1", "cursor=%ED%A0%80"])
def test_a_query_that_is_no_text_is_refused(query: str) -> None:
    """What stands for half of a character in octets."""
    answer = studio().get(f"{ROUNDS}?{query}")

    assert_refused_as_recorded(answer)


def test_a_name_that_is_no_text_is_not_found() -> None:
    """In the address itself."""
    answer = studio().get(f"{ROUNDS}/r%ED%A0%80")

    assert answer.status_code == 404
    assert calls_recorded()[-1]["call"] == answer.headers["Request-Id"]


@pytest.mark.parametrize("header", ["Idempotency-Key", "If-None-Match", "Accept-Language"])
def test_a_header_that_is_no_text_fails_nothing(header: str) -> None:
    """Whatever it means: octets above 127 come as they are."""
    name = header.replace("-", "_")

    answer = studio().call("GET", ROUNDS, **{name: "\xed\xa0\x80"})

    assert answer.status_code in (200, 400)


def test_a_problem_never_holds_half_a_character() -> None:
    """Wherever one was found, it is told with a question mark in its place."""
    assert FieldError("/\ud800", "a\ud800", "x").to_json() == {
        "field": "/?",
        "found": "a?",
        "needed": "x",
    }


def test_an_answer_that_cannot_be_written_is_on_record_as_our_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The number and the status that the caller saw; nothing that the call did is kept."""
    a_customer()
    monkeypatch.setattr(
        "casino.api.rounds.round_list.round_page",
        lambda *_arguments: {"data": ["\ud800"], "next": None},
    )

    answer = studio().get(ROUNDS)

    assert answer.status_code == 500
    [last] = calls_recorded()
    assert (last["call"], last["status"]) == (answer.headers["Request-Id"], 500)
