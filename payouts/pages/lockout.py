"""Accounts that are locked after failed logins, as django-axes counts them."""

from datetime import datetime

from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from django.http import HttpRequest
from django.utils.translation import gettext as _

from payouts.templatetags.sabot import moment


def is_locked(request: HttpRequest, account: str) -> bool:
    """Whether too much was wrong, from where the request comes, to try anything now."""
    return not AxesProxyHandler.is_allowed(request, {"username": account})


def address_of(request: HttpRequest) -> str | None:
    """The address under which failures are counted, and which the trail names."""
    AxesProxyHandler.update_request(request)
    address: str | None = request.axes_ip_address  # type: ignore[attr-defined]  # set just above
    return address


def forgive(request: HttpRequest, account: str) -> None:
    """Forgets the account's failures from where the request comes."""
    AxesProxyHandler.reset_attempts(username=account, ip_address=address_of(request))


def locked_words(request: HttpRequest, account: str) -> str:
    """Until when nothing can be tried."""
    message = _("Too many failed logins: this account is locked from here until %(moment)s.")
    return message % {"moment": moment(_locked_until(request, account), "s")}


def _locked_until(request: HttpRequest, account: str) -> datetime:
    counted = AccessAttempt.objects.filter(username=account, ip_address=address_of(request))
    last: datetime | None = counted.values_list("attempt_time", flat=True).first()
    until: datetime = (last or request.axes_attempt_time) + get_cool_off(request)  # type: ignore[attr-defined]  # as above
    return until
