"""Links to the replay of a round: made, opened and revoked (issue 20, point 11).

In r-1, p-1 stakes 10.00 on Player and is paid 20.00; p-2 stakes 5.00 on Banker and loses.
"""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.access.roles import REPLAY_LINK_ROLES
from compliance.exports.models import ReplayLink, ReplayLinkOpening
from compliance.trail.models import AuditRecord
from rounds.models import Customer, Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.replay_links.links import linked
from tests.casino.backoffice.verification_files.files import settled_round

pytestmark = pytest.mark.django_db
LIST = "/admin/replay-links/"


@pytest.fixture
def row() -> Round:
    """The round."""
    return settled_round()


def filled_in(**other: Any) -> dict[str, Any]:
    """The form filled in for a customer."""
    form = {"audience": "customer", "recipient": "ticket 12", "customer": "p-1"}
    return {**form, "purpose": "complaint", "days": 14, **other}


def make(client: Client, row: Round, **other: Any) -> str:
    """Makes a link; returns the page that answers."""
    return client.post(f"{LIST}new/{row.pk}/", filled_in(**other)).content.decode()


class TestALink:
    @pytest.mark.parametrize("role", REPLAY_LINK_ROLES)
    def test_is_made_on_the_page_of_the_round_and_opens_without_account(
        self, row: Round, role: str
    ) -> None:
        """Its address is shown once, and stored nowhere."""
        maker = reader(person(role))
        assert "Make a replay link" in plain(maker, f"/admin/rounds/round/{row.pk}/change/")

        [address] = re.findall(r'id="token">([^<]+)<', make(maker, row))

        english = Client(headers={"Accept-Language": "en"})
        assert "Replay of round" in english.get(address).content.decode()
        token = address.split("/")[-2]
        link = ReplayLink.objects.get()
        assert token not in str([*ReplayLink.objects.values(), *AuditRecord.objects.values()])
        record = AuditRecord.objects.get(action="REPLAY_LINK_MADE")
        assert (record.subject, record.details["purpose"]) == ("round:r-1", "complaint")
        assert link.expires_at - link.at == timedelta(days=14)

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("days", 91),
            ("days", 0),
            ("purpose", ""),
            ("recipient", " "),
            ("customer", ""),  # only the regulator sees all bets
            ("customer", "p-3"),  # unknown
        ],
    )
    def test_is_bounded_and_has_a_purpose(self, row: Round, field: str, value: object) -> None:
        """Ninety days at most."""
        make(reader(person("compliance")), row, **{field: value})

        assert not ReplayLink.objects.exists()

    def test_is_of_a_customer_with_a_bet(self, row: Round) -> None:
        """Nobody else has a reason to see the round."""
        Customer.objects.create(pseudonym="p-3")

        page = make(reader(person("compliance")), row, customer="p-3")

        assert "This customer has no bet in the round." in page
        assert not ReplayLink.objects.exists()

    def test_answers_in_the_language_of_the_browser(self, row: Round) -> None:
        """Italian without a preference; nothing about it is kept or passed on."""
        address = f"/replay/{linked(row, Customer.objects.get(pseudonym='p-1'))}/"

        english = Client().get(address, headers={"Accept-Language": "en-GB"})
        italian = Client().get(address)

        assert "Replay of round" in english.content.decode()
        assert '<html lang="it">' in italian.content.decode()
        assert "sessionid" not in italian.cookies
        assert italian["Referrer-Policy"] == "no-referrer"
        assert "noindex" in italian["X-Robots-Tag"]
        assert "no-store" in italian["Cache-Control"]
        assert "frame-ancestors 'none'" in italian["Content-Security-Policy"]

    def test_of_the_regulator_shows_all_bets_and_names_nobody(self, row: Round) -> None:
        """The participations are known to the regulator."""
        page = Client().get(f"/replay/{linked(row, None)}/").content.decode()

        assert page.count('class="replay-bet"') == 2
        assert not re.search(r"p-[12]\b", page)

    def test_is_listed_with_its_openings_and_revoked(self, row: Round) -> None:
        """Whoever views sees the list; a revoked link says so."""
        token = linked(row, Customer.objects.get(pseudonym="p-1"))
        maker = reader(person("supervisor"))
        Client().get(f"/replay/{token}/")
        Client().get(f"/replay/{token}/")
        assert re.search(r"ticket 12.* 2 ", plain(reader(person("auditor")), LIST))

        link = ReplayLink.objects.get()
        maker.post(f"{LIST}{link.pk}/revoke/", {"reason": "sent to the wrong person"})

        assert "sent to the wrong person" in plain(maker, f"{LIST}?status=revoked")
        assert "ticket 12" not in plain(maker, f"{LIST}?status=valid")
        assert AuditRecord.objects.filter(action="REPLAY_LINK_REVOKED").count() == 1
        assert ReplayLinkOpening.objects.count() == 2

    def test_opened_by_an_auditor_is_recorded_without_its_token(self, row: Round) -> None:
        """Who reads the audit log must not get in by it."""
        token = linked(row, Customer.objects.get(pseudonym="p-1"))

        reader(person("auditor")).get(f"/replay/{token}/")

        viewed = AuditRecord.objects.get(action="PAGE_VIEWED")
        assert viewed.details["path"] == "/replay/…/"
        assert viewed.at <= timezone.now()
