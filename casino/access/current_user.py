"""The user of a request, typed."""

from typing import cast

from django.contrib.auth.models import User
from django.http import HttpRequest


def request_user(request: HttpRequest) -> User:
    """The user who is logged in; the pages require one."""
    return cast("User", request.user)
