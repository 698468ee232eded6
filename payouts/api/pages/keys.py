"""The keys of programs: all of them, a new one, and the page of one."""

from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.api.models import ApiKey
from payouts.api.pages.forms import OVERLAP_WORDS, OVERLAPS, KeyForm, RevokeForm, RotateForm
from payouts.api.scopes import Scope
from payouts.api.services.issue_key import IssuedKey, issue_key
from payouts.api.services.revoke_key import revoke_key
from payouts.api.services.rotate_key import KeyMoved, rotate_key
from payouts.api.standing import Standing, overlap_of, standing_of
from payouts.pages.asked import asker, text_of
from payouts.pages.confirming import NotConfirmed, is_confirmed, require_confirmed
from payouts.pages.deeds import asked_of, refusals_told
from payouts.pages.own_pages import person_of, show
from payouts.pages.paging import page_of
from payouts.pages.second_factor import has_factor
from rounds.services.table_fields import NotTaken

LOOK: Final = "api.view_apikey"
"""The permission to see keys."""
MANAGE: Final = "api.manage_keys"
"""The permission to issue, rotate and revoke them."""


class Line(NamedTuple):
    """A key as pages show it."""

    key: ApiKey
    standing: Standing
    scopes: list[Scope]

    @property
    def pill(self) -> str:
        """The name of its mark."""
        return f"key-{self.standing.value}"


def show_keys(request: HttpRequest) -> HttpResponse:
    """The keys of programs, newest first. Customers' own tokens come and go; the trail has them."""
    found = ApiKey.objects.exclude(kind=ApiKey.Kind.CUSTOMER)
    page = page_of(
        found.select_related("revocation", "use").prefetch_related("secrets"),
        before=request.GET.get("before"),
        after=request.GET.get("after"),
    )
    context = {
        "title": _("API keys"),
        "page": page,
        "rows": [_line(key) for key in page.rows],
        "may_manage": request.user.has_perm(MANAGE),
    }
    return show(request, "pages/api/keys.html", context)


def issue(request: HttpRequest) -> HttpResponse:
    """The form of a new key; then its token, this once."""
    form = KeyForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            require_confirmed(request, text_of(request, "code"))
            issued = issue_key(asked=form.asked(), at=timezone.now(), actor=asker(request))
        except NotTaken as refusal:
            form.refuse(refusal)
        except NotConfirmed as refusal:
            form.add_error(None, str(refusal))
        else:
            return _show_token(request, issued)
    context = {"title": _("Issue a key"), "parent": _list(), "form": form}
    return show(request, "pages/api/issue.html", {**context, **_proof(request)})


def show_key(request: HttpRequest, pk: int) -> HttpResponse:
    """What a key may do, its secrets, and what can be done about it."""
    key = get_object_or_404(ApiKey.objects.select_related("revocation", "use"), pk=pk)
    secrets = list(key.secrets.order_by("-sequence"))
    context = {
        "title": _("Key %(handle)s") % {"handle": key.handle},
        "parent": _list(),
        "line": _line(key),
        "secrets": secrets,
        "overlap_until": overlap_of(key),
        "seen": secrets[0].sequence,
        "overlaps": OVERLAP_WORDS.items(),
        "may_manage": request.user.has_perm(MANAGE) and _is_managed(key),
    }
    return show(request, "pages/api/key.html", {**context, **_proof(request)})


def rotate(request: HttpRequest, pk: int) -> HttpResponse:
    """Gives a key a new secret, which is shown this once."""
    get_object_or_404(ApiKey, pk=pk)
    answer: HttpResponse = redirect("api_key", pk)
    with refusals_told(request, KeyMoved, NotTaken, words=_refusal_words):
        asked = asked_of(RotateForm(request.POST))
        require_confirmed(request, asked["code"])
        rotated = rotate_key(
            key_id=pk,
            seen=asked["seen"],
            overlap=OVERLAPS[asked["overlap"]],
            at=timezone.now(),
            actor=asker(request),
        )
        answer = _show_token(request, rotated)
    return answer  # noqa: RET504  set above, where no refusal was told


def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Ends a key at once."""
    get_object_or_404(ApiKey, pk=pk)
    with refusals_told(request, KeyMoved, NotTaken, words=_refusal_words):
        asked = asked_of(RevokeForm(request.POST))
        require_confirmed(request, asked["code"])
        revoke_key(key_id=pk, reason=asked["reason"], at=timezone.now(), actor=asker(request))
        messages.success(request, _("The key is revoked: the next call with it is refused."))
    return redirect("api_key", pk)


def _show_token(request: HttpRequest, issued: IssuedKey) -> HttpResponse:
    context = {
        "title": _("Token of %(owner)s") % {"owner": issued.key.owner},
        "parent": _list(),
        "key": issued.key,
        "token": issued.token,
    }
    return show(request, "pages/api/token.html", context)


def _line(key: ApiKey) -> Line:
    scopes = [Scope(one) for one in key.scopes if one in Scope.values]
    return Line(key, standing_of(key, at=timezone.now()), scopes)


def _is_managed(key: ApiKey) -> bool:
    return standing_of(key, at=timezone.now()) in (Standing.IN_FORCE, Standing.ROTATING)


def _proof(request: HttpRequest) -> dict[str, Any]:
    """Whether the person has to prove again that it is them, and can."""
    return {"confirmed": is_confirmed(request), "has_factor": has_factor(person_of(request))}


def _refusal_words(refusal: KeyMoved | NotTaken) -> str:
    if isinstance(refusal, NotTaken):
        said = {"found": refusal.found, "needed": refusal.needed}
        return _("found %(found)s; needed: %(needed)s") % said
    return _("Somebody rotated or revoked this key in the meantime; nothing of yours was done.")


def _list() -> dict[str, str]:
    return {"title": _("API keys"), "address": reverse("api_keys")}
