"""What people are refused is in the line of the request: why, who and from where, nothing typed."""

from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from casino.operations.english_texts import UNKNOWN, english_of
from tests.casino.backoffice.conftest import person
from tests.casino.logged_lines import Lines

_HERE: Final = "192.0.2.9"
_TYPED: Final = "typed-by-a-person"
_SAVE: Final = "/admin/lists/views/save/"
_VIEW: Final = {"list_name": "cases", "name": "Refunds", "query": "", "back": "/admin/"}


@pytest.fixture(params=["en", "it"])
def browser(request: pytest.FixtureRequest, db: None) -> Client:
    """Of a supervisor, in each language."""
    client = Client(REMOTE_ADDR=_HERE)
    client.force_login(person("supervisor"))
    client.cookies["django_language"] = request.param
    return client


def refused(logged: Lines) -> dict[str, Any]:
    """What the one line of a finished request says of it."""
    lines = logged()
    assert _TYPED not in str(lines)
    [line] = [line for line in lines if line["event"] == "answered"]
    return {name: line[name] for name in ("account", "refused", "address") if name in line}


def expected(reason: str) -> dict[str, str]:
    """The supervisor, refused for this reason."""
    account = f"user:{User.objects.get(username='supervisor').pk}"
    return {"account": account, "refused": reason, "address": _HERE}


class TestAPerson:
    def test_whose_entry_a_message_refuses(self, browser: Client, logged: Lines) -> None:
        """Here with the label of the field before it."""
        browser.post(_SAVE, {**_VIEW, "name": ""})

        assert refused(logged) == expected("This field is required.")

    def test_whose_form_is_shown_again(self, browser: Client, logged: Lines) -> None:
        """Each field by its name in the form."""
        compliance = person("compliance")
        browser.force_login(compliance)
        days = {"first_day": _TYPED, "last_day": "2026-11-01"}

        answer = browser.post(reverse("holds"), {**days, "reference": _TYPED})

        found = refused(logged)
        assert answer.status_code == 200
        assert found["account"] == f"user:{compliance.pk}"
        assert found["refused"] == "first_day: Enter a valid date.; about: This field is required."

    def test_whose_upload_is_refused(self, browser: Client, logged: Lines) -> None:
        """An empty file under a name that says something."""
        file = SimpleUploadedFile(f"{_TYPED}.ndjson", b"")

        browser.post(reverse("upload_feed"), {"file": file, "sent": "1"})

        assert refused(logged) == expected("The file is empty. Nothing was stored.")

    def test_without_the_permission(self, browser: Client, logged: Lines) -> None:
        """The title of the error page."""
        browser.post("/admin/people/", {"name": _TYPED})

        assert refused(logged) == expected("Access denied")

    def test_whose_form_has_no_token(self, logged: Lines, db: None) -> None:
        """Nobody knows yet who it is."""
        Client(enforce_csrf_checks=True, REMOTE_ADDR=_HERE).post(_SAVE, {"name": _TYPED})

        reason = "The form could not be verified"
        assert refused(logged) == {"refused": reason, "address": _HERE}

    def test_who_sends_too_much(self, browser: Client, logged: Lines) -> None:
        """Unread."""
        browser.post(_SAVE, {**_VIEW, "query": "q" * (1 << 21)})

        assert refused(logged) == expected("Request too large")

    def test_whose_login_fails(self, logged: Lines, db: None) -> None:
        """Neither the name nor the password, which some people enter as their name."""
        form = {"username": _TYPED, "password": _TYPED}

        Client(REMOTE_ADDR=_HERE).post("/admin/login/", form)

        found = refused(logged)
        assert found.keys() == {"refused", "address"}
        assert found["refused"].startswith("Please enter the correct %(username)s and password")


class TestALineHasNoRefusal:
    def test_of_what_was_done(self, browser: Client, logged: Lines) -> None:
        """Nor an account or an address."""
        browser.post(_SAVE, _VIEW)

        assert refused(logged) == {}

    def test_of_what_was_only_looked_for(self, browser: Client, logged: Lines) -> None:
        """A filter that nobody understands is no attempt."""
        browser.get("/admin/lists/nothing/", {"name": _TYPED})

        assert refused(logged) == {}

    @pytest.mark.django_db
    def test_of_a_program(self, logged: Lines) -> None:
        """Its refused calls are audit records, with the reason."""
        Client().post("/api/v1/rounds", {"name": _TYPED}, content_type="application/json")

        assert refused(logged) == {}


class TestAReason:
    @pytest.mark.parametrize(
        ("shown", "logged"),
        [
            ("Enter a reason.", "Enter a reason."),
            ("Name: Enter a reason.", "Enter a reason."),
            ("Nothing was stored. Enter a reason.", "Nothing was stored. Enter a reason."),
            (f"Nothing was stored. {_TYPED}", "Nothing was stored. %(why)s"),
            (
                f"Select a valid choice. {_TYPED} is not one of the available choices.",
                "Select a valid choice. %(value)s is not one of the available choices.",
            ),
            (_TYPED, UNKNOWN),
            (f"{_TYPED}: {_TYPED}", UNKNOWN),
            ("a: " * 1_000, UNKNOWN),
        ],
    )
    def test_is_a_text_of_the_program(self, shown: str, logged: str) -> None:
        """Values are placeholders, unless they are such texts themselves."""
        assert english_of(shown) == logged
