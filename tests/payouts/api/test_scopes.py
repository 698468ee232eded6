"""Every call refuses every key that lacks a scope (issue 8, "It is done when").

The table is read from the addresses themselves, so that a call that somebody adds is held to this.
"""

import re
from typing import Any, Final

import pytest
from django.urls import URLPattern

from payouts.api.scopes import Open, Scope
from payouts.api.urls import urlpatterns
from payouts.api.views import ApiView
from tests.payouts.api.calling import Program, issued, slug_of, told

pytestmark = pytest.mark.django_db

_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")


def views() -> dict[str, type[ApiView]]:
    """Every view by its address, filled in with something."""
    found = {}
    for pattern in urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        if view is not None:
            found[_address(pattern)] = view
    return found


def _address(pattern: URLPattern) -> str:
    filled = re.sub(r"<uuid:\w+>", "018f0000-0000-7000-8000-000000000000", str(pattern.pattern))
    filled = re.sub(r"<int:\w+>", "1", filled)
    return "/api/v1/" + re.sub(r"<\w+:\w+>", "x", filled).replace("^.*$", "nowhere")


def calls() -> list[tuple[str, str, Any]]:
    """Every call: its method, its address, and what it needs."""
    return [
        (method, address, needed)
        for address, view in views().items()
        for method, needed in view.needs.items()
    ]


GUARDED: Final = [one for one in calls() if one[2] is not Open.TO_ALL]
LACKING: Final = [
    (method, address, lacking)
    for method, address, needed in GUARDED
    if not isinstance(needed, Open)
    for lacking in needed
]


class TestEveryCall:
    @pytest.mark.parametrize(("method", "address", "lacking"), LACKING)
    def test_refuses_a_key_that_lacks_a_scope(
        self, method: str, address: str, lacking: Scope
    ) -> None:
        """A key that may do everything else: 403, with what it has and what it needs."""
        rest = [one.value for one in Scope if one != lacking]
        program = Program(issued(scopes=rest).token)

        answer = program.call(method, address, {}, once="1")

        assert (answer.status_code, slug_of(answer)) == (403, "scope-missing")
        [error] = told(answer)["errors"]
        assert (error["found"], error["needed"]) == (" ".join(rest), lacking.value)

    @pytest.mark.parametrize(("method", "address", "needed"), GUARDED)
    def test_refuses_whoever_has_no_key(self, method: str, address: str, needed: Any) -> None:  # noqa: ANN401  a parameter
        """401, and how a key is sent."""
        answer = Program("").call(method, address, {}, once="1")

        assert (answer.status_code, slug_of(answer)) == (401, "key-missing")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")

    @pytest.mark.parametrize(("method", "address", "needed"), GUARDED)
    def test_lets_a_key_in_that_has_every_scope(
        self,
        method: str,
        address: str,
        needed: Any,  # noqa: ANN401  a parameter
    ) -> None:
        """Else the tests above would say nothing."""
        answer = Program(issued().token).call(method, address, {}, once="1")

        assert answer.status_code not in (401, 403, 405, 500)

    @pytest.mark.parametrize("address", views())
    def test_has_a_method_for_whatever_it_declares(self, address: str) -> None:
        """And declares whatever it has: what is not declared is answered 405."""
        view = views()[address]
        has = {method for method in _METHODS if hasattr(view, method.lower())}

        assert set(view.needs) == has

    def test_is_one_of_some(self) -> None:
        """The table above is read from the addresses; it is not empty."""
        assert LACKING
        assert all(isinstance(view, type) for view in views().values())
