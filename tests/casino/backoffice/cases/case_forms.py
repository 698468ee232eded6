"""Steps of two persons on the pages of cases: report, propose, sign."""

import re
from typing import Any, Final

from django.contrib.auth.models import Group, User
from django.test import Client

from payouts.cases.models import Case
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import code_of, give_phone

_HIDDEN: Final = re.compile(r'name="(digest[a-z_]*|seen)" value="([^"]*)"')


def named(name: str, role: str) -> User:
    """Creates a person in a role."""
    person = User.objects.create_user(name.lower(), is_staff=True, first_name=name)
    person.groups.add(Group.objects.get(name=role))
    give_phone(person)
    return User.objects.get(pk=person.pk)


def browser_of(person: User) -> Client:
    """A browser in which the person has logged in."""
    client = Client()
    client.force_login(person)
    client.cookies["django_language"] = "en"
    return client


def code_of_lorenzo() -> str:
    """The current code of Lorenzo's phone."""
    return code_of(User.objects.get(username="lorenzo"))


def fields_of(page: Any) -> dict[str, str]:
    """The hidden fields of the page's forms."""
    return dict(_HIDDEN.findall(page_html(page)))


def malfunction(client: Client, **fields: str) -> Any:
    """Reports a malfunction of rounds."""
    requested = {"reason": "card-reader", "text": "Read twice.", "references": "r-1 r-2", **fields}
    return client.post("/admin/cases/malfunction/", requested, follow=True)


def proposed(client: Client, **fields: str) -> Case:
    """A case of two rounds with a proposed void."""
    page = malfunction(client, **fields)
    case = Case.objects.get()
    form = {**fields_of(page), "remedy": "void", "note": "Both rounds."}
    client.post(f"/admin/cases/{case.pk}/propose/", form)
    return case


def sign(client: Client, case: Case, **fields: str) -> Any:
    """Signs the case."""
    page = client.get(f"/admin/cases/{case.pk}/")
    requested = {**fields_of(page), "read": "on", "note": "Agreed.", **fields}
    return client.post(f"/admin/cases/{case.pk}/approve/", requested, follow=True)


MINUS = "\N{MINUS SIGN}"
