"""Drafts of forms are kept for the person who typed them, and for no longer than needed."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from casino.backoffice.drafts.models import FormDraft
from casino.backoffice.drafts.stored_drafts import (
    MOST_BYTES,
    MOST_DRAFTS,
    delete_old_drafts,
    drafts_of,
    save_draft,
)
from casino.backoffice.drafts.submitted_drafts import CONTENT, FORM, OWNER, owner_mark
from payouts.comments.models import Comment
from rounds.models import Round
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import reader
from tests.casino_in_play import NOW, ingest, open_table
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db
REASON = "/admin/reasons/new/"
TYPED = [["text", "textarea", "", "The dealer was pale."]]


def saved(owner: User, form: str = REASON) -> None:
    """Saves the draft of a form."""
    save_draft(owner=owner, form=form, content=json.dumps(TYPED), at=NOW)


class TestADraft:
    def test_is_encrypted_for_its_owner_and_form(self) -> None:
        """Whoever can write to the table gives it to nobody else."""
        owner, other = (User.objects.create_user(name) for name in ("a", "b"))
        saved(owner)
        row = FormDraft.objects.get()
        assert b"pale" not in bytes(row.content)

        FormDraft.objects.create(owner=other, form=REASON, content=row.content, saved_at=NOW)
        FormDraft.objects.create(owner=owner, form="/x/", content=row.content, saved_at=NOW)

        forms = [REASON, "/x/"]
        assert drafts_of(owner=other, forms=forms, at=NOW) == {}
        assert drafts_of(owner=owner, forms=forms, at=NOW) == {REASON: (TYPED, NOW)}

    def test_ends_after_thirty_days(self) -> None:
        """It is not shown any more, and the nightly task deletes it."""
        owner = User.objects.create_user("a")
        saved(owner)
        later = NOW + timedelta(days=30)

        assert drafts_of(owner=owner, forms=[REASON], at=later) == {}
        assert delete_old_drafts(at=later - timedelta(seconds=1)) == 0
        assert delete_old_drafts(at=later) == 1

    def test_replaces_the_oldest_beyond_a_hundred(self) -> None:
        """One person fills no disk."""
        owner = User.objects.create_user("a")
        for number in range(MOST_DRAFTS + 1):
            at = NOW + timedelta(seconds=number)
            save_draft(owner=owner, form=f"/{number}/", content="[]", at=at)

        kept = set(FormDraft.objects.values_list("form", flat=True))

        assert kept == {f"/{number}/" for number in range(1, MOST_DRAFTS + 1)}


class TestThePageOfDrafts:
    def post(self, client: Client, body: Any, form: str = REASON) -> int:
        """Saves a draft."""
        address = f"/admin/drafts/?form={form}"
        return client.post(address, body, content_type="application/json").status_code

    def test_saves_returns_and_discards_the_persons_own(self) -> None:
        """Another person gets nothing."""
        own, other = reader(person("supervisor")), reader(person("payments"))

        assert self.post(own, TYPED) == 204
        drafts = own.get("/admin/drafts/", {"form": [REASON, "/x/"]}).json()
        [(form, draft)] = drafts.items()
        assert (form, draft["content"]) == (REASON, TYPED)
        assert "restored. It was not submitted." in draft["message"]
        assert other.get("/admin/drafts/", {"form": [REASON, "/x/"]}).json() == {}

        assert other.delete(f"/admin/drafts/?form={REASON}").status_code == 204
        assert FormDraft.objects.count() == 1
        assert own.delete(f"/admin/drafts/?form={REASON}").status_code == 204
        assert FormDraft.objects.count() == 0

    def test_refuses_a_form(self) -> None:
        """Drafts are JSON: the body of a form is parsed before the view can read it."""
        own = reader(person("supervisor"))

        assert own.post(f"/admin/drafts/?form={REASON}", {"text": "x"}).status_code == 400

    @pytest.mark.parametrize(
        ("body", "form", "status"),
        [
            ("x", REASON, 400),
            ('{"text": 1}', REASON, 400),
            ("[1]", REASON, 400),
            ("[]", "https://elsewhere", 400),
            ("[]", "/" + "x" * 300, 400),
            ('["' + "x" * MOST_BYTES + '"]', REASON, 400),
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

    def entries(self, address: str, owner: User, text: str) -> dict[str, str]:
        """What the script of the page sends with the form."""
        content = json.dumps([["text", "textarea", "", text]])
        return {"text": text, FORM: address, OWNER: owner_mark(owner), CONTENT: content}

    def texts(self, owner: User, address: str) -> list[str]:
        """The texts in the person's draft of the form."""
        drafts = drafts_of(owner=owner, forms=[address], at=timezone.now())
        return [draft.content[0][3] for draft in drafts.values()]

    @pytest.mark.parametrize(("text", "left"), [("Seen.", []), (" ", [" "])])
    def test_has_a_draft_unless_it_was_saved(
        self, address: str, text: str, left: list[str]
    ) -> None:
        """The entries that led back with an error replace the older draft."""
        supervisor = person("supervisor")
        saved(supervisor, address)

        answer = reader(supervisor).post(address, self.entries(address, supervisor, text))

        assert (answer.status_code, self.texts(supervisor, address)) == (302, left)

    def test_has_a_draft_for_its_author_if_the_session_has_ended(self, address: str) -> None:
        """Or is somebody else's by now; nothing was stored."""
        supervisor = person("supervisor")

        Client().post(address, self.entries(address, supervisor, "Seen."))

        assert self.texts(supervisor, address) == ["Seen."]
        assert not Comment.objects.exists()

    def test_has_a_draft_if_it_could_not_be_checked(self, address: str) -> None:
        """The error page links back to the form."""
        supervisor = person("supervisor")
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(supervisor)

        answer = browser.post(address, self.entries(address, supervisor, "Seen."))

        assert (answer.status_code, self.texts(supervisor, address)) == (403, ["Seen."])

    @pytest.mark.parametrize(
        "change", [{OWNER: "1"}, {OWNER: "1:1:x"}, {CONTENT: "x"}, {FORM: ""}, {FORM: "x"}]
    )
    def test_has_none_of_what_no_page_sends(self, address: str, change: dict[str, str]) -> None:
        """An owner that no page names gets nothing."""
        supervisor = person("supervisor")

        Client().post(address, {**self.entries(address, supervisor, "Seen."), **change})

        assert not FormDraft.objects.exists()

    def test_shows_its_message_all_the_same(self, address: str) -> None:
        """Reading the messages does not use them up."""
        supervisor = person("supervisor")
        browser = reader(supervisor)

        page = browser.post(address, self.entries(address, supervisor, "Seen."), follow=True)

        assert "Comment saved." in page.content.decode()
