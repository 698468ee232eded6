"""Requests that tests answer in their own process have the rights of the web role."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import psycopg
import pytest
from django.core.handlers.base import BaseHandler
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.storage.database_roles.role import DatabaseRole, role_name

STATEMENTS: Final = 2
"""What taking the role and giving it back add to a request: so many statements and round trips."""
_SET_ROLE: Final = f"SET ROLE {role_name(DatabaseRole.WEB)}"


@pytest.fixture(scope="session", autouse=True)
def _requests_have_the_rights_of_web() -> Iterator[None]:
    """Pages and API of Django's test client and live server."""
    get_response = BaseHandler.get_response
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseHandler, "get_response", _as_web(get_response))
        yield


def _as_web(
    get_response: Callable[[BaseHandler, HttpRequest], HttpResponseBase],
) -> Callable[[BaseHandler, HttpRequest], HttpResponseBase]:
    def answer(handler: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        with _web_role():
            return get_response(handler, request)

    return answer


@contextmanager
def _web_role() -> Iterator[None]:
    """Takes the role on the owner's connection, past Django's log of queries, which tests count."""
    with suppress(RuntimeError):  # the test has no database
        connection.ensure_connection()
    taken = connection.connection
    if taken is None:
        yield
        return
    taken.execute(_SET_ROLE)
    try:
        yield
    finally:
        with suppress(psycopg.Error):  # a failed transaction, whose end resets the role, or closed
            taken.execute("RESET ROLE")
