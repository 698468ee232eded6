"""Comments on the pages of customers, rounds, cases and disputes (issue 20, point 11)."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from casino.access.roles import COMMENT_WRITER_ROLES
from compliance.notifications.models import Notification
from compliance.trail.models import AuditRecord
from payouts.comments.models import Comment
from rounds.models import Customer, Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import opened
from tests.payouts.disputes.dispute_scenarios import disputed

LIST = "/admin/comments/"


@pytest.fixture
def pages(db: None) -> dict[str, tuple[object, str]]:
    """The key and the page of a record of each kind."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    row, customer = Round.objects.get(), Customer.objects.all()[0]
    case, dispute = opened("malfunction", "r-1"), disputed("r-1", customer.pseudonym)
    return {
        "customer": (customer.pk, f"/admin/rounds/customer/{customer.pk}/change/"),
        "round": (row.pk, f"/admin/rounds/round/{row.pk}/change/"),
        "case": (case.pk, f"/admin/cases/{case.pk}/"),
        "dispute": (dispute.pk, f"/admin/disputes/{dispute.pk}/"),
    }


def comment_on(client: Client, kind: str, key: object, text: str) -> str:
    """Writes a comment; returns where the answer leads."""
    return client.post(f"{LIST}{kind}/{key}/", {"text": text}).headers.get("Location", "")


class TestAComment:
    @pytest.mark.parametrize("kind", ["customer", "round", "case", "dispute"])
    def test_is_on_the_page_with_its_author(
        self, pages: dict[str, tuple[object, str]], kind: str
    ) -> None:
        """And in the list of those whom it mentions, not of others."""
        author, other = reader(person("supervisor")), reader(person("payments"))
        key, page = pages[kind]

        led_to = comment_on(author, kind, key, "Ask <b>@payments</b>.")

        assert led_to == f"{page}#comments"
        content = other.get(page).content.decode()
        assert re.search(r'&lt;b&gt;<b class="mention" title="payments">@payments</b>', content)
        assert "A comment decides nothing." in content
        assert "@payments" in plain(other, LIST)
        assert "Nobody has mentioned you" in plain(author, LIST)
        [sent] = Notification.objects.filter(kind="mention")
        assert sent.recipient.get_username() == "payments"
        assert sent.address == led_to
        assert "@payments" in plain(author, f"{LIST}?which=mine&on={kind}")

    @pytest.mark.parametrize("role", COMMENT_WRITER_ROLES)
    def test_is_written_by_who_acts(self, pages: dict[str, tuple[object, str]], role: str) -> None:
        """Roles that act may write."""
        key, _page = pages["round"]

        comment_on(reader(person(role)), "round", key, "Seen.")

        assert Comment.objects.get().actor == role

    def test_is_only_read_by_auditors(self, pages: dict[str, tuple[object, str]]) -> None:
        """They see it, the withdrawn text included, and no form."""
        supervisor, auditor = reader(person("supervisor")), reader(person("auditor"))
        key, page = pages["round"]
        comment_on(supervisor, "round", key, "Wrong table?")
        withdrawn = Comment.objects.get()
        supervisor.post(f"{LIST}{withdrawn.pk}/withdraw/", {"reason": "Another round."})

        refused = auditor.post(f"{LIST}round/{key}/", {"text": "x"}).status_code
        content = auditor.get(page).content.decode()

        assert refused == 403
        assert "Another round." in content
        assert "Wrong table?" in content
        assert "New comment" not in content

    @pytest.mark.parametrize("text", ["", "  ", "x" * 4001])
    def test_needs_a_text(self, pages: dict[str, tuple[object, str]], text: str) -> None:
        """Of at most four thousand characters."""
        key, _page = pages["case"]

        comment_on(reader(person("supervisor")), "case", key, text)

        assert not Comment.objects.exists()

    @pytest.mark.parametrize("place", ["round/x", "case/99", "case/x", "table/1"])
    def test_needs_a_record(self, pages: dict[str, tuple[object, str]], place: str) -> None:
        """Unknown kinds and keys are not found."""
        supervisor = reader(person("supervisor"))

        answer = supervisor.post(f"{LIST}{place}/", {"text": "x"})

        assert answer.status_code == 404

    def test_of_another_person_stays(self, pages: dict[str, tuple[object, str]]) -> None:
        """Only its author withdraws it, and the page offers it to nobody else."""
        key, page = pages["dispute"]
        comment_on(reader(person("supervisor")), "dispute", key, "Mine.")
        other = reader(person("compliance"))

        other.post(f"{LIST}{Comment.objects.get().pk}/withdraw/", {"reason": "x"})

        assert Comment.objects.count() == 1
        assert "Withdraw the comment" not in plain(other, page)

    def test_mentions_only_people_who_may_see_it(
        self, pages: dict[str, tuple[object, str]]
    ) -> None:
        """Administrators see no rounds; closed accounts see nothing."""
        person("administrator")
        User.objects.filter(pk=person("payments").pk).update(is_active=False)
        key, _page = pages["round"]

        comment_on(reader(person("supervisor")), "round", key, "@administrator @payments")

        assert Comment.objects.get().mentions == []
        assert AuditRecord.objects.get(action="COMMENT_WRITTEN").details["mentions"] == []
