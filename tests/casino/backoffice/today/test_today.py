"""Held rounds and running jobs on *Today*."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.utils import timezone, translation

from casino.access.models import AccessRequest
from casino.backoffice.templatetags.sabot import waited
from casino.backoffice.today.tiles import tiles_for
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.reconciliation.models import ReconcileRun
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation
from rounds.documents import read_documents
from rounds.services.ingest import ingest_documents
from rounds.uploads.upload_feed import upload_feed
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import give_phone
from tests.casino_in_play import NOW, STUDIO, by_now, open_table, settle
from tests.documents import held_baccarat_round, lines

JOBS = "/admin/jobs/"


def hold(*, minutes_ago: int) -> None:
    """A round with a card too many that arrived this long ago."""
    open_table()
    [batch] = read_documents(lines(held_baccarat_round("r-held")))
    at = timezone.now() - timedelta(minutes=minutes_ago)
    ingest_documents(batch, source="feed", at=at, actor=STUDIO)
    settle(at=by_now())


def begin() -> ReconcileRun:
    """A reconciliation without finished parts."""
    return begin_reconciliation(scope=EVERYTHING, at=NOW, actor=Actor("test"))


class TestAHeldRound:
    def test_shows_fault_cards_and_waiting_time(self, supervisor: Client) -> None:
        """Player drew the two of clubs on a natural, 31 minutes ago."""
        hold(minutes_ago=31)

        page = page_html(supervisor.get("/admin/"))

        row = page[page.index("Last cards") :].split("</tbody>", 1)[0]
        assert "A card was dealt that no rule or play requires." in row
        assert re.findall(r'aria-label="([^"]+)"', row) == [
            "5 of diamonds",
            "10 of clubs",
            "2 of clubs",
        ]
        assert "22.00" in row
        assert re.search(r'class="waiting-time is-late".*31 min', row)

    def test_is_not_late_in_its_first_minutes(self, supervisor: Client) -> None:
        """It is not highlighted yet."""
        hold(minutes_ago=3)

        page = page_html(supervisor.get("/admin/"))

        assert re.search(r'class="waiting-time" [^>]*>3 min', page)


class TestAWait:
    @pytest.mark.parametrize(
        ("minutes", "words"),
        [(0, "0 min"), (59, "59 min"), (60, "1 h"), (47 * 60, "47 h"), (48 * 60, "2 giorni")],
    )
    def test_is_written_in_the_largest_unit(self, minutes: int, words: str) -> None:
        """Minutes, hours or days."""
        with translation.override("it"):
            assert waited(timezone.now() - timedelta(minutes=minutes, seconds=1)) == words

    def test_of_a_future_arrival_is_zero(self) -> None:
        """The clock of another host may be fast."""
        assert waited(timezone.now() + timedelta(minutes=5)) == "0 min"


class TestJobs:
    def test_show_their_progress(self, supervisor: Client) -> None:
        """A reconciliation and an upload."""
        run = begin()
        upload = upload_feed(
            pieces=[b"{}"], name="studio.ndjson", most_bytes=100, at=NOW, actor=Actor("Giulia")
        )

        page = supervisor.get("/admin/").content.decode()

        assert f'href="/admin/payouts/reconcilerun/{run.pk}/change/"' in page
        assert f"0 of {run.parts.count()} parts" in page
        assert f'href="/admin/payouts/feedupload/{upload.pk}/change/"' in page
        assert "feed of Giulia, 0 rounds so far" in page
        assert "data-running" in page

    def test_are_refreshed_while_one_runs(self, supervisor: Client) -> None:
        """Until all parts are done."""
        run = begin()
        half = list(run.parts.values_list("pk", flat=True))[::2]
        run.parts.filter(pk__in=half).update(done_at=NOW)

        under_way = supervisor.get(JOBS).json()
        ReconcileRun.objects.update(finished_at=NOW)
        over = supervisor.get(JOBS).json()

        assert under_way["running"]
        assert f"{len(half)} of {run.parts.count()} parts" in under_way["lines"]
        assert not over["running"]
        assert "No jobs are running." in over["lines"]

    def test_are_not_refreshed_when_none_runs(self, supervisor: Client) -> None:
        """The page does not poll."""
        page = supervisor.get("/admin/").content.decode()

        assert "No jobs are running." in page
        assert "data-running" not in page

    @pytest.mark.django_db
    def test_refreshes_are_not_recorded_as_page_views(self, client: Client) -> None:
        """Only the page itself is recorded."""
        client.force_login(person("auditor"))
        begin()

        client.get("/admin/")
        for _again in range(3):
            assert client.get(JOBS).status_code == 200

        assert AuditRecord.objects.filter(action="PAGE_VIEWED").count() == 1

    @pytest.mark.django_db
    def test_are_shown_to_permitted_roles(self, client: Client) -> None:
        """Not to roles without permission, nor to anonymous users."""
        begin()
        guest = User.objects.create_user("guest", is_staff=True)
        seer = Group.objects.create(name="seer")
        seer.permissions.add(Permission.objects.get(codename="view_round"))
        guest.groups.add(seer)
        give_phone(guest)

        assert client.get(JOBS).status_code == 302
        client.force_login(guest)
        assert not client.get(JOBS).json()["running"]


class TestTheTiles:
    @pytest.mark.django_db
    def test_of_an_administrator_are_about_access(self, client: Client) -> None:
        """What waits for another person, without a number of rounds."""
        ada = person("administrator")
        AccessRequest.objects.create(
            kind="factors",
            person=person("auditor"),
            reason="lost",
            requested_by=ada,
            requested_at=NOW,
        )
        client.force_login(ada)

        tiles = tiles_for(ada)
        page = page_html(client.get("/admin/"))

        assert [(tile.title, tile.number) for tile in tiles] == [
            ("Access requests", 1),
            ("Signing keys", 0),
            ("Stopped webhooks", 0),
        ]
        assert all(tile.address in page for tile in tiles)
        assert "Held rounds" not in page
