"""Changing one's own password, on record."""

from http import HTTPStatus

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from payouts.pages.access_trail import record_access
from payouts.pages.own_pages import person_of


def change_password(request: HttpRequest) -> HttpResponse:
    """The admin's own page, which leads on when the password was changed."""
    with transaction.atomic():
        answer = admin.site.password_change(request)
        if request.method == "POST" and answer.status_code == HTTPStatus.FOUND:
            record_access(request, "PASSWORD_CHANGED", person_of(request))
    return answer
