"""The page of legal holds."""

import pytest
from django.test import Client

from compliance.retention.models import LegalHold, LegalHoldLift
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader

PAGE = "/admin/holds/"
FORM = {"first_day": "2020-03-09", "last_day": "", "about": "p-1", "reference": "Trib. 12"}


@pytest.fixture
def compliance(db: None) -> Client:
    """A browser of compliance."""
    return reader(person("compliance"))


@pytest.fixture
def supervisor(db: None) -> Client:
    """A browser of the supervisor."""
    return reader(person("supervisor"))


class TestThePage:
    def test_places_and_lifts(self, compliance: Client, supervisor: Client) -> None:
        """A hold is lifted by another person."""
        assert "No legal holds" in plain(compliance, PAGE)
        compliance.post(PAGE, FORM)
        hold = LegalHold.objects.get()
        words = plain(compliance, PAGE)
        assert "In force 9 Mar 2020" in words
        assert "Lift hold" not in words
        compliance.post(f"{PAGE}{hold.pk}/lift/", {"reason": "over"})
        assert "You placed this hold. Another person must lift it." in plain(compliance, PAGE)
        supervisor.post(f"{PAGE}{hold.pk}/lift/", {"reason": ""})
        assert "Enter a reason" in plain(supervisor, PAGE)

        supervisor.post(f"{PAGE}{hold.pk}/lift/", {"reason": "judgment of 3 March"})

        assert LegalHoldLift.objects.exists()
        assert "judgment of 3 March" in plain(supervisor, PAGE)

    def test_says_what_is_wrong(self, compliance: Client) -> None:
        """No hold is placed."""
        answer = compliance.post(PAGE, {**FORM, "last_day": "2020-03-08", "about": ""})

        words = answer.content.decode()
        assert "The last day is before the first day." in words
        assert "This field is required." in words
        assert not LegalHold.objects.exists()

    def test_lets_the_supervisor_place_none(self, supervisor: Client) -> None:
        """A supervisor only lifts holds."""
        supervisor.post(PAGE, FORM)

        assert not LegalHold.objects.exists()
        assert "Place a hold" not in plain(supervisor, PAGE)
