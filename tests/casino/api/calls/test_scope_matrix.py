"""Every call refuses exactly the keys that lack its scope (issue 8).

Calls and scopes are read from the URL configuration. Each address is filled in with existing
objects, so that only the scope decides.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from pytest_django import Settings

from casino.api.problems import MEDIA_TYPE
from casino.integrations.scopes import OF_PROGRAMS, Needed, Open
from tests.casino.api.addresses import NOWHERE, PLACES, views
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.calls.key_kinds import Held, answered, held
from tests.casino.api.two_customers import make_everything, places_of
from tests.casino.verification_page import write_page

pytestmark = pytest.mark.django_db

_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
_OF_KEYS: Final = ("key-missing", "key-expired", "key-revoked", "scope-missing")
KEY_VARIANTS: Final = (
    *(scope.value for scope in OF_PROGRAMS),
    "every scope",
    "a customer's own",
    "no key",
    "expired",
    "revoked",
)
Refusal = tuple[str, tuple[str, ...]]


def calls() -> Iterator[tuple[str, str, Needed]]:
    """Every call: method, URL pattern and scope."""
    for pattern, view in views().items():
        for method, needed in view.required_scopes.items():
            yield method, pattern, needed


def due(needed: Needed, by: Held) -> Refusal | None:
    """The expected refusal of a call; None if the key is accepted."""
    if needed is Open.TO_ALL:
        return None
    if by.refused_as:
        return by.refused_as, ()
    if isinstance(needed, Open):
        return None
    lacking = tuple(scope.value for scope in needed if scope.value not in by.scopes)
    return ("scope-missing", lacking) if lacking else None


def refusal_of(answer: Any) -> Refusal | None:
    """The refusal of a call because of its key."""
    if answer.status_code not in (401, 403) or slug_of(answer) not in _OF_KEYS:
        return None
    needed = [error["needed"] for error in json_of(answer)["errors"]]
    slug = slug_of(answer)
    return slug, tuple(needed) if slug == "scope-missing" else ()


def test_a_key_is_refused_exactly_where_it_lacks_a_scope(
    settings: Settings, tmp_path: Path
) -> None:
    """403 names the missing scope, 401 the fault of the key."""
    settings.EXPORTS_FOLDER = str(tmp_path)
    settings.VERIFICATION_PAGE = write_page(tmp_path)
    make_everything(tmp_path)
    refusals, expected, unanswered = {}, {}, []

    for kind in KEY_VARIANTS:
        by = held(kind)
        places = places_of(by.key)
        for method, pattern, needed in calls():
            answer, call = answered(by, method, PLACES[pattern].format(**places)), (method, pattern)
            refusals[kind, *call], expected[kind, *call] = refusal_of(answer), due(needed, by)
            if due(needed, by) is None and not _is_answered(answer, method, by):
                unanswered.append((kind, *call, answer.status_code, answer.content[:200]))

    assert refusals == expected
    assert unanswered == []


def test_unknown_query_parameters_are_refused(settings: Settings, tmp_path: Path) -> None:
    """A mistyped filter is refused at every address."""
    settings.EXPORTS_FOLDER = str(tmp_path)
    settings.VERIFICATION_PAGE = write_page(tmp_path)
    make_everything(tmp_path)
    by = held("every scope")
    places = places_of(by.key)
    read = [
        pattern
        for method, pattern, needed in calls()
        if method == "GET" and needed is not Open.TO_ALL
    ]

    accepted = [
        (pattern, answer.status_code)
        for pattern in read
        if (answer := answered(by, "GET", f"{PLACES[pattern].format(**places)}?limitt=1"))
        and (answer.status_code, fields_of(answer)) != (422, ["query:limitt"])
    ]

    assert accepted == []


def fields_of(answer: Any) -> list[str]:
    """The fields that a refusal names; empty for other answers."""
    is_refusal = answer.headers["Content-Type"] == MEDIA_TYPE
    return [error["field"] for error in json_of(answer)["errors"]] if is_refusal else []


def _is_answered(answer: Any, method: str, by: Held) -> bool:
    """Whether a call was let in: a read succeeds, an empty body is invalid."""
    if by.key is not None and by.key.customer is not None:
        return bool(answer.status_code < 500)
    if method == "GET":
        return bool(answer.status_code == 200)
    return answer.status_code < 500 and answer.status_code not in (401, 403, 404, 405)


class TestTheTableOfAddresses:
    def test_has_every_address(self) -> None:
        """A new address needs an example here."""
        assert set(PLACES) == set(views()) - {NOWHERE}

    def test_has_many_guarded_calls(self) -> None:
        """Guards against a matrix that became empty."""
        guarded = [call for call in calls() if call[2] is not Open.TO_ALL]

        assert len(guarded) >= 40

    @pytest.mark.parametrize("pattern", views())
    def test_has_a_method_for_every_declared_scope(self, pattern: str) -> None:
        """Views declare scopes for exactly the methods they have."""
        view = views()[pattern]

        assert set(view.required_scopes) == {
            method for method in _METHODS if hasattr(view, method.lower())
        }

    @pytest.mark.parametrize("path", ["nowhere", "rounds/r-1/none", "exports/one", "a%0Ab"])
    def test_ends_in_a_problem_for_all_other_addresses(self, path: str) -> None:
        """Unknown addresses are answered 404 with a problem document."""
        answer = Program("").get(f"/api/v1/{path}")

        assert (answer.status_code, slug_of(answer)) == (404, "not-found")
