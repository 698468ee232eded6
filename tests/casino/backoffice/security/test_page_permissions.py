"""Who gets in where: every address of the site, for every role (issue 5, point 7)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from tests.casino.backoffice.conftest import person
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db

# Columns: nobody; Supervisor, Payments, Compliance, auDitor, aDministrator, each as GET and POST.
# p: a page (200)   >: led on (302)   L: led to the login   .: refused (403)   -: not found (404)
# !: not asked that way (405)   4: not understood, with nothing filled in (400)
DOORS: Final = r"""
                                                            | >> >> >> >> >. >>
i18n/setlang/                                               | >> >> >> >> >> >>
admin/login/                                                | pp >p >p >p >p >p
admin/login/second/                                         | LL LL LL LL LL LL
admin/password_change/                                      | LL pp pp pp pp pp
admin/security/                                             | LL pp pp pp p. pp
admin/security/phone/                                       | LL >> >> >> pp >>
admin/security/passkey/                                     | LL >> >> >> pp >>
admin/security/codes/                                       | LL !> !> !> !> !>
admin/security/remove/                                      | LL !> !> !> !> !>
admin/security/end/                                         | LL !> !> !> !> !>
admin/sessions/                                             | LL .. .. .. .. pp
admin/sessions/end/                                         | !L !. !. !. !. !>
admin/notices/                                              | LL !> !> !> !> !>
admin/people/new/                                           | LL .. .. .. .. pp
admin/people/requests/                                      | LL .. .. pp p. pp
admin/people/requests/<int:pk>/approve/                     | !L !. !. !. !. !-
admin/people/requests/<int:pk>/reject/                      | !L !. !. !. !. !-
admin/people/<int:person>/                                  | LL .. .. .. .. pp
admin/people/<int:person>/details/                          | !L !. !. !. !. !p
admin/people/<int:person>/close/                            | !L !. !. !. !. !>
admin/people/<int:person>/change/<str:kind>/                | !L !. !. !. !. !>
admin/people/<int:person>/unlock/                           | !L !. !. !. !. !>
admin/security/confirm/                                     | LL pp pp pp pp pp
admin/readings/                                             | LL pp pp pp p. ..
admin/rule-sets/                                            | LL pp pp pp p. ..
admin/rule-sets/<path:name>/                                | LL pp pp pp p. ..
admin/tables/new/                                           | LL .. .. .. .. pp
admin/tables/<int:pk>/                                      | LL .. .. .. .. p4
admin/tables/<int:pk>/limits/                               | LL .. .. .. .. p4
admin/tables/<int:pk>/suspend/                              | !L !> !. !. !. !.
admin/tables/<int:pk>/resume/                               | !L !4 !. !. !. !.
admin/shoe/                                                 | LL -- -- -- -. ..
admin/reconciliations/now/                                  | !L !. !. !> !> !.
admin/days/                                                 | LL pp pp pp p. ..
admin/days/<str:day>/                                       | LL pp pp pp p. ..
admin/days/<str:day>/close/                                 | LL .. .. >> .. ..
admin/exports/                                              | LL pp .. pp p. ..
admin/exports/operator.crt                                  | LL -- .. -- -. ..
admin/certificates/<int:pk>.<str:form>                      | LL -- -- -- -. ..
admin/certificates/<path:name>/                             | LL pp pp pp p. ..
admin/certificates/<path:name>/ask/                         | !L !> !. !> !. !.
admin/rounds/<uuid:round_id>/bets/<int:number>/likelihood/  | LL pp pp pp p. ..
admin/monitor/                                              | LL pp pp pp p. ..
admin/monitor/watches/<int:pk>/                             | LL -- -- -- -. ..
admin/monitor/dealt/<path:name>/                            | LL pp pp pp p. ..
admin/disputes/<int:dispute_id>/dossier/                    | !L !- !- !- !. !.
admin/dossiers/<int:pk>.<str:form>                          | LL -- -- -- -. ..
admin/weights/                                              | LL pp pp pp p. ..
admin/weights/<int:pk>/approve/                             | !L !> !. !> !. !.
admin/exports/new/                                          | LL pp .. pp .. ..
admin/exports/days/<str:day>/                               | !L !> !. !> !. !.
admin/exports/runs/<int:run_id>/                            | LL -- .. -- -. ..
admin/exports/reports/<str:key>/                            | LL -- .. -- -. ..
admin/exports/bundles/                                      | LL pp .. pp p. ..
admin/exports/bundles/<int:number>/                         | LL -- .. -- -. ..
admin/exports/bundles/<int:number>/summary.pdf              | LL -- .. -- -. ..
admin/exports/bundles/<int:number>/download/                | LL -- .. -- -. ..
admin/exports/bundles/<int:number>/registers/<str:register>/ | LL -- .. -- -. ..
admin/exports/bundles/<int:number>/answers/<int:sequence>/  | LL -- .. -- -. ..
admin/exports/bundles/<int:number>/again/                   | !L !- !. !- !. !.
admin/exports/bundles/<int:number>/sign/                    | !L !- !. !- !. !.
admin/exports/bundles/<int:number>/aside/                   | !L !- !. !- !. !.
admin/exports/bundles/<int:number>/send/                    | !L !. !. !- !. !.
admin/exports/bundles/<int:number>/answer/                  | !L !. !. !- !. !.
admin/holds/                                                | LL pp pp pp p. ..
admin/holds/<int:hold_id>/lift/                             | !L !- !. !- !. !.
admin/keys/                                                 | LL pp pp pp p. pp
admin/keys/new/                                             | LL .. .. .. .. pp
admin/keys/<int:pk>/                                        | LL -- -- -- -. --
admin/keys/<int:pk>/rotate/                                 | !L !. !. !. !. !-
admin/keys/<int:pk>/revoke/                                 | !L !. !. !. !. !-
admin/webhooks/                                             | LL pp pp pp p. pp
admin/webhooks/<uuid:webhook_id>/                           | LL -- -- -- -. --
admin/webhooks/<uuid:webhook_id>/dead-letters/<int:number>/resend/ | !L !. !. !. !. !-
admin/webhooks/<uuid:webhook_id>/ping/                      | !L !. !. !. !. !-
admin/webhooks/<uuid:webhook_id>/resume/                    | !L !. !. !. !. !-
admin/feeds/upload/                                         | !L !> !. !. !. !.
admin/feeds/<int:pk>/release/                               | !L !- !- !- !. !.
admin/cases/                                                | LL pp pp pp p. ..
admin/cases/malfunction/                                    | LL pp pp pp .. ..
admin/cases/credit/                                         | LL pp pp pp .. ..
admin/cases/correct/<uuid:round_id>/                        | LL pp pp pp .. ..
admin/cases/release/<uuid:round_id>/                        | LL pp pp pp .. ..
admin/cases/refund/<uuid:round_id>/                         | LL pp pp pp .. ..
admin/cases/<int:case_id>/                                  | LL -- -- -- -. ..
admin/cases/<int:case_id>/effect.csv                        | LL -- -- -- -. ..
admin/cases/<int:case_id>/bets.csv                          | LL -- -- -- -. ..
admin/cases/<int:case_id>/evidence/<int:evidence_id>/       | LL -- -- -- -. ..
admin/cases/<int:case_id>/evidence/add/                     | !L !- !- !- !. !.
admin/cases/<int:case_id>/propose/                          | !L !- !- !- !. !.
admin/cases/<int:case_id>/refer/                            | !L !- !- !- !. !.
admin/cases/<int:case_id>/answer/                           | !L !- !- !- !. !.
admin/cases/<int:case_id>/withdraw/                         | !L !- !- !- !. !.
admin/cases/<int:case_id>/approve/                          | !L !- !- !- !. !.
admin/cases/<int:case_id>/reject/                           | !L !- !- !- !. !.
admin/disputes/                                             | LL pp pp pp p. ..
admin/disputes/open/<uuid:round_id>/                        | LL pp pp pp .. ..
admin/disputes/<int:dispute_id>/                            | LL -- -- -- -. ..
admin/disputes/<int:dispute_id>/evidence/<int:evidence_id>/ | LL -- -- -- -. ..
admin/disputes/<int:dispute_id>/evidence/<int:evidence_id>/share/ | !L !- !- !- !. !.
admin/disputes/<int:dispute_id>/evidence/add/               | !L !- !- !- !. !.
admin/disputes/<int:dispute_id>/take/                       | !L !- !. !- !. !.
admin/disputes/<int:dispute_id>/ask/                        | !L !- !- !- !. !.
admin/disputes/<int:dispute_id>/answer/                     | !L !- !- !- !. !.
admin/disputes/<int:dispute_id>/uphold/                     | !L !- !. !- !. !.
admin/disputes/<int:dispute_id>/reject/                     | !L !- !. !- !. !.
admin/disputes/<int:dispute_id>/close/                      | !L !- !. !- !. !.
admin/disputes/<int:dispute_id>/escalate/                   | !L !- !- !- !. !.
admin/disputes/<int:dispute_id>/outside/                    | !L !- !. !- !. !.
admin/disputes/<int:dispute_id>/reopen/                     | !L !- !. !- !. !.
admin/jobs/                                                 | LL pp pp pp p. ..
admin/reasons/new/                                          | LL .. .. pp .. ..
admin/reasons/<int:pk>/                                     | LL .. .. p4 .. ..
admin/payouts/reason/                                       | LL pp pp pp p. ..
admin/payouts/reason/add/                                   | LL .. .. .. .. ..
admin/payouts/reason/<path:object_id>/history/              | LL pp pp pp p. ..
admin/payouts/reason/<path:object_id>/delete/               | LL .. .. .. .. ..
admin/payouts/reason/<path:object_id>/change/               | LL >> >> >> >. >>
admin/payouts/reason/<path:object_id>/                      | LL >> >> >> >. >>
admin/^lists/(?P<kind>tables|limits|reasons)/export\.(?P<form>csv|xlsx)$| LL pp pp pp p. pp
admin/lists/<str:kind>/import/                              | LL .. .. .. .. pp
admin/lists/imports/<int:pk>/                               | LL -- -- -- -. --
admin/stuck/                                                | LL pp pp pp p. ..
admin/stuck/together/                                       | !L !> !. !> !. !.
admin/stuck/<str:kind>/<str:key>/                           | LL pp pp pp p. ..
admin/stuck/<str:kind>/<str:key>/assign/                    | !L !> !. !> !. !.
admin/stuck/<str:kind>/<str:key>/retry/                     | !L !> !. !> !. !.
admin/stuck/<str:kind>/<str:key>/resolve/                   | !L !> !. !> !. !.
admin/search/                                               | LL pp pp pp p. pp
admin/                                                      | LL pp pp pp p. pp
admin/logout/                                               | >> !p !p !p !p !p
admin/password_change/done/                                 | LL p! p! p! p. p!
admin/autocomplete/                                         | LL .! .! .! .. .!
admin/jsi18n/                                               | LL p! p! p! p. p!
admin/r/<path:content_type_id>/<path:object_id>/            | LL -- -- -- -. --
admin/auth/user/<id>/password/                              | LL .. .. .. .. ..
admin/auth/user/                                            | LL .. .. .. .. pp
admin/auth/user/add/                                        | LL .. .. .. .. ..
admin/auth/user/<path:object_id>/history/                   | LL .. .. .. .. pp
admin/auth/user/<path:object_id>/delete/                    | LL .. .. .. .. ..
admin/auth/user/<path:object_id>/change/                    | LL .. .. .. .. >>
admin/auth/user/<path:object_id>/                           | LL >> >> >> >. >>
admin/auth/group/                                           | LL .. .. .. .. pp
admin/auth/group/add/                                       | LL .. .. .. .. ..
admin/auth/group/<path:object_id>/history/                  | LL .. .. .. .. pp
admin/auth/group/<path:object_id>/delete/                   | LL .. .. .. .. ..
admin/auth/group/<path:object_id>/change/                   | LL .. .. .. .. p.
admin/auth/group/<path:object_id>/                          | LL >> >> >> >. >>
admin/payouts/account/                                      | LL pp pp pp p. ..
admin/payouts/account/add/                                  | LL .. .. .. .. ..
admin/payouts/account/<path:object_id>/history/             | LL pp pp pp p. ..
admin/payouts/account/<path:object_id>/delete/              | LL .. .. .. .. ..
admin/payouts/account/<path:object_id>/change/              | LL pp pp pp p. ..
admin/payouts/account/<path:object_id>/                     | LL >> >> >> >. >>
admin/records/<uuid:record_id>/proof.json                   | LL >> >> >> >. ..
admin/rounds/<uuid:round_id>/receipt.json                   | LL >> >> >> >. ..
admin/trail/auditrecord/                                    | LL pp pp pp p. ..
admin/trail/auditrecord/add/                                | LL .. .. .. .. ..
admin/trail/auditrecord/<path:object_id>/history/           | LL pp pp pp p. ..
admin/trail/auditrecord/<path:object_id>/delete/            | LL .. .. .. .. ..
admin/trail/auditrecord/<path:object_id>/change/            | LL pp pp pp p. ..
admin/trail/auditrecord/<path:object_id>/                   | LL >> >> >> >. >>
admin/rounds/quarantineddocument/                           | LL pp pp pp p. ..
admin/rounds/quarantineddocument/add/                       | LL .. .. .. .. ..
admin/rounds/quarantineddocument/<path:object_id>/history/  | LL pp pp pp p. ..
admin/rounds/quarantineddocument/<path:object_id>/delete/   | LL .. .. .. .. ..
admin/rounds/quarantineddocument/<path:object_id>/change/   | LL pp pp pp p. ..
admin/rounds/quarantineddocument/<path:object_id>/          | LL >> >> >> >. >>
admin/rounds/conflictingdocument/                           | LL pp pp pp p. ..
admin/rounds/conflictingdocument/add/                       | LL .. .. .. .. ..
admin/rounds/conflictingdocument/<path:object_id>/history/  | LL pp pp pp p. ..
admin/rounds/conflictingdocument/<path:object_id>/delete/   | LL .. .. .. .. ..
admin/rounds/conflictingdocument/<path:object_id>/change/   | LL pp pp pp p. ..
admin/rounds/conflictingdocument/<path:object_id>/          | LL >> >> >> >. >>
admin/rounds/queuedround/                                   | LL pp pp pp p. ..
admin/rounds/queuedround/add/                               | LL .. .. .. .. ..
admin/rounds/queuedround/<path:object_id>/history/          | LL >> >> >> >. >>
admin/rounds/queuedround/<path:object_id>/delete/           | LL .. .. .. .. ..
admin/rounds/queuedround/<path:object_id>/change/           | LL >> >> >> >. ..
admin/rounds/queuedround/<path:object_id>/                  | LL >> >> >> >. >>
admin/payouts/reconcilerun/                                 | LL pp pp pp p. ..
admin/payouts/reconcilerun/add/                             | LL .. .. .. .. ..
admin/payouts/reconcilerun/<path:object_id>/history/        | LL >> >> >> >. >>
admin/payouts/reconcilerun/<path:object_id>/delete/         | LL .. .. .. .. ..
admin/payouts/reconcilerun/<path:object_id>/change/         | LL >> >> >> >. ..
admin/payouts/reconcilerun/<path:object_id>/                | LL >> >> >> >. >>
admin/rounds/round/                                         | LL pp pp pp p. ..
admin/rounds/round/add/                                     | LL .. .. .. .. ..
admin/rounds/round/<path:object_id>/history/                | LL pp pp pp p. ..
admin/rounds/round/<path:object_id>/delete/                 | LL .. .. .. .. ..
admin/rounds/round/<path:object_id>/change/                 | LL pp pp pp p. ..
admin/rounds/round/<path:object_id>/                        | LL >> >> >> >. >>
admin/rounds/table/                                         | LL pp pp pp p. pp
admin/rounds/table/add/                                     | LL .. .. .. .. ..
admin/rounds/table/<path:object_id>/history/                | LL pp pp pp p. pp
admin/rounds/table/<path:object_id>/delete/                 | LL .. .. .. .. ..
admin/rounds/table/<path:object_id>/change/                 | LL pp pp pp p. pp
admin/rounds/table/<path:object_id>/                        | LL >> >> >> >. >>
admin/payouts/feedupload/                                   | LL pp pp pp p. ..
admin/payouts/feedupload/add/                               | LL .. .. .. .. ..
admin/payouts/feedupload/<path:object_id>/history/          | LL >> >> >> >. >>
admin/payouts/feedupload/<path:object_id>/delete/           | LL .. .. .. .. ..
admin/payouts/feedupload/<path:object_id>/change/           | LL >> >> >> >. ..
admin/payouts/feedupload/<path:object_id>/                  | LL >> >> >> >. >>
admin/^(?P<app_label>auth|payouts|rounds|trail)/$           | LL pp pp pp p. pp
admin/(?P<url>.*)$                                          | LL -- -- -- -. --
"""

COLUMNS: Final = ("nobody", "supervisor", "payments", "compliance", "auditor", "administrator")
_POSTING: Final = ("nobody", "auditor")
API: Final = "api/v1"
MARKS: Final = {400: "4", 200: "p", 302: ">", 403: ".", 404: "-", 405: "!"}


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Every address that the site has, as it is declared."""
    for pattern in patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def address(route: str) -> str:
    """An address of this kind, of something that there is."""
    words = route.split("/")
    if "<path:object_id>" in route and words[1] != "r":
        model: type[Model] = apps.get_model(words[1], words[2])
        row = model._default_manager.first()
        route = route.replace("<path:object_id>", str(row.pk if row else 0))
    a_table, a_reason = apps.get_model("rounds", "Table"), apps.get_model("payouts", "Reason")
    numbered = a_reason if "reasons" in words else a_table
    filled = {
        "lists/<str:kind>": "lists/tables",
        r"^lists/(?P<kind>tables|limits|reasons)/export\.": "lists/tables/export.",
        "(?P<form>csv|xlsx)$": "csv",
        "<uuid:round_id>": str(apps.get_model("rounds", "Round").objects.get().pk),
        "<uuid:record_id>": str(apps.get_model("trail", "AuditRecord").objects.all()[0].pk),
        "<uuid:webhook_id>": "018f0000-0000-7000-8000-000000000000",  # none, as of the following
        "<int:case_id>": "1",  # none: whoever may is told so, the others are refused first
        "<int:evidence_id>": "1",
        "<int:hold_id>": "999",
        "<int:dispute_id>": "999",
        "<int:run_id>": "999",
        "<int:number>": "1",
        "<int:sequence>": "1",
        "<str:register>": "bets",
        "<path:name>": "baccarat/1",
        "<path:content_type_id>": "1",
        "<path:object_id>": "1",
        "<str:day>": "2026-11-21",
        "change/<str:kind>": "change/factors",
        "<str:kind>": "conflict",
        "<str:key>": str(apps.get_model("rounds", "ConflictingDocument").objects.get().pk),
        "<str:form>": "json",
        "<int:pk>": str(numbered._default_manager.all()[0].pk),
        "<int:person>": str(User.objects.get(username="other").pk),
        "<id>": str(User.objects.get(username="other").pk),
        "^(?P<app_label>auth|payouts|rounds|trail)/$": "rounds/",
        "(?P<url>.*)$": "nowhere/",
    }
    for part, value in filled.items():
        route = route.replace(part, value)
    return f"/{route}"


def browser_of(who: str) -> Client:
    """Where somebody of this role has logged in."""
    browser = Client()
    if who != "nobody":
        browser.force_login(User.objects.get(username=who))
    return browser


def mark(place: str, browser: Client, *, posted: bool) -> str:
    """What a browser is answered there."""
    answer = (browser.post if posted else browser.get)(place)
    if answer.status_code == 302 and answer["Location"].startswith("/admin/login/"):
        return "L"
    return MARKS[answer.status_code]


def in_order(route: str) -> str:
    """The route with the applications of the site by name: Django has them as they were loaded."""
    return re.sub(
        r"(?<=<app_label>)[a-z|]+", lambda apps: "|".join(sorted(apps[0].split("|"))), route
    )


def declared() -> dict[str, list[str]]:
    """The table above: route to columns of two marks."""
    rows = [line.rsplit("|", 1) for line in DOORS.strip().splitlines()]
    return {route.strip(): marks.split() for route, marks in rows}


@pytest.fixture(autouse=True)
def _no_certificate(settings: Settings, tmp_path: Path) -> None:
    """Whatever `make run` left in this clone."""
    settings.EXPORT_KEY = str(tmp_path / "export.key")


@pytest.fixture(autouse=True)
def _casino() -> None:
    """A row of each kind that a feed brings, and a person of each role."""
    User.objects.create_user("other")
    for role in COLUMNS[1:]:
        person(role)
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-1", session="M2"), "no document"))
    settle()


class TestEveryAddress:
    def test_stands_in_the_table(self) -> None:
        """Whoever adds an address says here who gets in.

        Who calls the API is no person: its addresses stand in tests/casino/api/addresses.py.
        """
        known = {in_order(route) for route in routes(get_resolver().url_patterns)}

        assert {route for route in known if not route.startswith(API)} == set(declared())

    @pytest.mark.parametrize(
        ("who", "posted"),
        [
            # The other roles post in the slow proofs.
            pytest.param(
                who, posted, marks=[pytest.mark.slow] if posted and who not in _POSTING else []
            )
            for who in COLUMNS
            for posted in (False, True)
        ],
    )
    def test_lets_in_whom_the_table_says(self, who: str, posted: bool) -> None:
        """Nobody more, nobody less."""
        column = COLUMNS.index(who)
        table, browser, answers = declared(), browser_of(who), {}
        places = {route: address(route) for route in table}

        for route, place in places.items():
            answers[route] = mark(place, browser, posted=posted)
            if who != "nobody" and "_auth_user_id" not in browser.session:
                browser = browser_of(who)  # that was the way out

        assert answers == {route: marks[column][posted] for route, marks in table.items()}
