"""Drafts of forms are kept for the person who typed them, and for no longer than needed."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.backoffice.drafts.draft_page import MOST_BYTES
from casino.backoffice.drafts.models import FormDraft
from casino.backoffice.drafts.stored_drafts import (
    MOST_DRAFTS,
    delete_old_drafts,
    draft_of,
    save_draft,
)
from casino.backoffice.drafts.submitted_drafts import FORM_FIELD
from rounds.models import Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import reader
from tests.casino_in_play import NOW, ingest, open_table
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db
FORM = "/admin/reasons/new/"
CONTENT = [["text", "textarea", "", "The dealer was pale."]]


def saved(owner: User, form: str = FORM) -> None:
    """Saves the draft of a form."""
    save_draft(owner=owner, form=form, content=CONTENT, at=NOW)


class TestADraft:
    def test_is_encrypted_for_its_owner_and_form(self) -> None:
        """Whoever can write to the table gives it to nobody else."""
        owner, other = (User.objects.create_user(name) for name in ("a", "b"))
        saved(owner)
        row = FormDraft.objects.get()
        assert b"pale" not in bytes(row.content)

        FormDraft.objects.create(owner=other, form=FORM, content=row.content, saved_at=NOW)
        FormDraft.objects.create(owner=owner, form="/x/", content=row.content, saved_at=NOW)

        assert draft_of(owner=other, form=FORM, at=NOW) is None
        assert draft_of(owner=owner, form="/x/", at=NOW) is None
        assert draft_of(owner=owner, form=FORM, at=NOW) == (CONTENT, NOW)

    def test_ends_after_thirty_days(self) -> None:
        """It is not shown any more, and the nightly task deletes it."""
        owner = User.objects.create_user("a")
        saved(owner)
        later = NOW + timedelta(days=30)

        assert draft_of(owner=owner, form=FORM, at=later) is None
        assert delete_old_drafts(at=later - timedelta(seconds=1)) == 0
        assert delete_old_drafts(at=later) == 1

    def test_replaces_the_oldest_beyond_a_hundred(self) -> None:
        """One person fills no disk."""
        owner = User.objects.create_user("a")
        for number in range(MOST_DRAFTS + 1):
            at = NOW + timedelta(seconds=number)
            save_draft(owner=owner, form=f"/{number}/", content=[], at=at)

        kept = set(FormDraft.objects.values_list("form", flat=True))

        assert kept == {f"/{number}/" for number in range(1, MOST_DRAFTS + 1)}


class TestThePageOfDrafts:
    def post(self, client: Client, body: Any, form: str = FORM) -> int:
        """Saves a draft."""
        address = f"/admin/drafts/?form={form}"
        return client.post(address, body, content_type="application/json").status_code

    def test_saves_returns_and_discards_the_persons_own(self) -> None:
        """Another person gets nothing."""
        own, other = reader(person("supervisor")), reader(person("payments"))

        assert self.post(own, CONTENT) == 204
        draft = own.get("/admin/drafts/", {"form": FORM}).json()
        assert draft["content"] == CONTENT
        assert "restored. It was not submitted." in draft["message"]
        assert other.get("/admin/drafts/", {"form": FORM}).json() == {}

        assert other.delete(f"/admin/drafts/?form={FORM}").status_code == 204
        assert FormDraft.objects.count() == 1
        assert own.delete(f"/admin/drafts/?form={FORM}").status_code == 204
        assert FormDraft.objects.count() == 0

    @pytest.mark.parametrize(
        ("body", "form", "status"),
        [
            ("x", FORM, 400),
            ('{"text": 1}', FORM, 400),
            ("[1]", FORM, 400),
            ("[]", "https://elsewhere", 400),
            ("[]", "/" + "x" * 300, 400),
            ('["' + "x" * MOST_BYTES + '"]', FORM, 413),
        ],
    )
    def test_is_bounded(self, body: str, form: str, status: int) -> None:
        """Nothing else is stored."""
        assert self.post(reader(person("supervisor")), body, form) == status
        assert not FormDraft.objects.exists()


class TestASubmittedForm:
    @pytest.fixture
    def address(self) -> str:
        """The address of the comments of a round."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        return f"/admin/comments/round/{Round.objects.get().pk}/"

    @pytest.mark.parametrize(("text", "left"), [("Seen.", 0), ("", 1)])
    def test_loses_its_draft_once_it_was_saved(self, address: str, text: str, left: int) -> None:
        """Not where it led back with an error."""
        supervisor = person("supervisor")
        save_draft(owner=supervisor, form=address, content=CONTENT, at=timezone.now())

        answer = reader(supervisor).post(address, {"text": text, FORM_FIELD: address})

        assert (answer.status_code, FormDraft.objects.count()) == (302, left)

    def test_keeps_its_draft_if_the_session_has_ended(self, address: str) -> None:
        """The login leads back to the form."""
        save_draft(owner=person("supervisor"), form=address, content=CONTENT, at=timezone.now())

        answer = Client().post(address, {"text": "Seen.", FORM_FIELD: address})

        assert (answer.status_code, FormDraft.objects.count()) == (302, 1)

    def test_shows_its_message_all_the_same(self, address: str) -> None:
        """Reading the messages does not use them up."""
        browser = reader(person("supervisor"))

        page = browser.post(address, {"text": "Seen.", FORM_FIELD: address}, follow=True)

        assert "Comment saved." in page.content.decode()
