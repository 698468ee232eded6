"""A stranger with a replay link, or none, sees one round and no more (issue 20, point 11).

In r-1, p-1 stakes 10.00 on Player and 2.00 on Small, p-2 stakes 7.00 on Banker; r-2 is another.
"""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from casino.backoffice.replay_links.tokens import digest_of_token
from compliance.exports.models import ReplayLink, ReplayLinkOpening
from compliance.exports.replay_links import replay_links
from compliance.exports.replay_links.replay_links import revoke_replay_link
from rounds.models import Customer, Round
from tests.casino.backoffice.replay_links.links import linked
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import GIULIA

pytestmark = pytest.mark.django_db


@pytest.fixture
def token() -> str:
    """The token of p-1's link to r-1."""
    open_table()
    bets = [
        baccarat_bet("b-1", "player", "10.00", player="p-1"),
        baccarat_bet("b-2", "banker", "7.00", player="p-2"),
        baccarat_bet("b-3", "small", "2.00", player="p-1"),
    ]
    ingest(lines(baccarat_round("r-1", bets=bets), baccarat_round("r-2")))
    settle()
    return linked(Round.objects.get(reference="r-1"), Customer.objects.get(pseudonym="p-1"))


def answer(token: str) -> tuple[int, str]:
    """What the address answers to a stranger."""
    response = Client().get(f"/replay/{token}/", headers={"Accept-Language": "en"})
    return response.status_code, response.content.decode()


def changed(text: str) -> str:
    """The text with another first letter."""
    return ("B" if text[0] == "A" else "A") + text[1:]


class TestAToken:
    def test_that_is_altered_opens_nothing(
        self, token: str, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        """Neither its secret nor its signature; guesses do not reach the table of links."""
        secret, signature = token.split(".")
        forged = [
            f"{changed(secret)}.{signature}",
            f"{secret}.{changed(signature)}",
            secret,
            "x" * 999,
        ]

        for text in forged:
            assert answer(text)[0] == 404
            with django_assert_num_queries(0):
                assert digest_of_token(text) is None

    def test_of_another_purpose_opens_nothing(self, token: str, settings: Settings) -> None:
        """A key that leaks elsewhere signs none, and the digest in the database is none."""
        digest = bytes(ReplayLink.objects.get().token_digest).hex()
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", []

        assert [answer(text)[0] for text in (token, digest)] == [404, 404]

    def test_opens_its_own_round_only(self, token: str) -> None:
        """No parameter chooses another; two links differ in all."""
        other = linked(Round.objects.get(reference="r-2"), None)
        number = Round.objects.get(reference="r-2").game_code

        response = Client().get(f"/replay/{token}/", {"round": "r-2", "customer": "p-2"})

        assert response.status_code == 200
        assert f"#{number}" not in response.content.decode() or number == (
            Round.objects.get(reference="r-1").game_code
        )
        assert response.context["row"].reference == "r-1"
        assert other.split(".")[0] != token.split(".", maxsplit=1)[0]


class TestALinkOfACustomer:
    def test_shows_no_bet_of_others_and_no_staff(self, token: str) -> None:
        """Neither the bet, its chips, its stake in a total, nor a name."""
        page = answer(token)[1]

        assert "b-1" in page
        assert "b-3" in page
        for secret in (
            "b-2",
            "p-2",
            "7.00",
            "19.00",
            GIULIA.name,
            "ticket 12",
            "complaint",
        ):
            assert secret not in page

    def test_leads_nowhere_else(self, token: str) -> None:
        """No link into the back office."""
        assert "/admin/" not in answer(token)[1]


class TestALinkThatEnded:
    def test_opens_no_more_once_it_has_expired(self, token: str) -> None:
        """Gone, with a sentence and nothing of the round."""
        past = by_now() - timedelta(days=20)
        old = linked(Round.objects.get(reference="r-1"), None, days=14, at=past)

        status, page = answer(old)

        assert (status, "This link has expired." in page) == (410, True)
        assert "data-card" not in page

    def test_opens_no_more_once_it_is_revoked(self, token: str) -> None:
        """At once."""
        link = ReplayLink.objects.get()
        revoke_replay_link(link=link, reason="lost", at=by_now(), actor=GIULIA)

        status, page = answer(token)

        assert (status, "revoked this link" in page) == (410, True)
        assert "data-card" not in page

    def test_cannot_fill_the_database(self, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Openings are counted to an end."""
        monkeypatch.setattr(replay_links, "MOST_OPENINGS", 2)

        assert [answer(token)[0] for _ in range(4)] == [200, 200, 410, 410]
        assert ReplayLinkOpening.objects.count() == 2

    @pytest.mark.parametrize("end", [timedelta(days=91), timedelta(0)])
    def test_is_never_made_for_longer_by_sql(self, token: str, end: timedelta) -> None:
        """The database holds every writer to ninety days."""
        link = ReplayLink.objects.get()
        link.pk, link.token_digest = None, b"1" * 32
        link.expires_at = _after(link.at, end)

        with pytest.raises(IntegrityError), transaction.atomic():
            link.save(force_insert=True)


def _after(at: datetime, span: timedelta) -> datetime:
    return at + span
