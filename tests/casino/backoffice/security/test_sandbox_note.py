"""Every page of a sandbox says that nothing on it is real, in both languages."""

import pytest
from django.test import Client
from pytest_django import Settings

NOTE = {
    "en": ("Nothing here is real, and no money moves.", "is removed each night at 03:30."),
    "it": ("Qui nulla è reale e nessun importo viene pagato.", "viene rimosso ogni notte alle"),
}
PAGES = ("/admin/", "/admin/rounds/round/", "/nothing", "/replay/unknown/")


@pytest.mark.parametrize("language", NOTE)
class TestAPage:
    @pytest.mark.parametrize("address", PAGES)
    def test_of_a_sandbox_says_so(
        self, supervisor: Client, settings: Settings, language: str, address: str
    ) -> None:
        """Pages, lists, errors, and what outsiders see."""
        settings.SANDBOX = True
        supervisor.cookies["django_language"] = language

        page = supervisor.get(address).content.decode()

        assert page.count(NOTE[language][0]) == 1
        assert NOTE[language][1] not in page

    @pytest.mark.django_db
    def test_says_when_it_is_reset(self, settings: Settings, language: str) -> None:
        """Where the setting says it; the login page, too."""
        settings.SANDBOX, settings.SANDBOX_RESET_AT = True, "03:30"
        visitor = Client()
        visitor.cookies["django_language"] = language

        page = visitor.get("/admin/login/").content.decode()

        assert page.count(NOTE[language][0]) == 1
        assert " ".join(page.split()).count(NOTE[language][1]) == 1

    @pytest.mark.parametrize("address", PAGES)
    def test_of_a_casino_says_nothing(
        self, supervisor: Client, settings: Settings, language: str, address: str
    ) -> None:
        """Even if a time is set."""
        settings.SANDBOX_RESET_AT = "03:30"
        supervisor.cookies["django_language"] = language

        page = supervisor.get(address).content.decode()

        assert NOTE[language][0] not in page
        assert NOTE[language][1] not in page
