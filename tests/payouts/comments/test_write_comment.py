"""Comments are facts: written by people, withdrawn by their authors, and never changed."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.steps import PersonRequired
from payouts.comments.models import Comment
from payouts.comments.write_comment import (
    AlreadyWithdrawn,
    NotTheAuthor,
    withdraw_comment,
    write_comment,
)
from rounds.models import Round
from tests.casino_in_play import NOW, ingest, open_table
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

pytestmark = pytest.mark.django_db


@pytest.fixture
def row() -> Round:
    """A round."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    return Round.objects.get()


def commented(row: Round) -> Comment:
    """Giulia's comment on the round."""
    return write_comment(about=row, text="Odd.", mentions=[], at=NOW, actor=GIULIA)


class TestAComment:
    def test_is_in_the_trail_with_its_mentions(self, row: Round) -> None:
        """Its record is one of the round."""
        anna = User.objects.create_user("anna")

        comment = write_comment(about=row, text="@anna", mentions=[anna], at=NOW, actor=GIULIA)

        record = AuditRecord.objects.get(action="COMMENT_WRITTEN")
        assert (record.subject, record.actor) == ("round:r-1", GIULIA.name)
        assert record.details == {"text": "@anna", "mentions": ["anna"]}
        assert (comment.kind, comment.mentions) == ("round", [anna.pk])

    def test_needs_a_person(self, row: Round) -> None:
        """Programs have their own records."""
        with pytest.raises(PersonRequired):
            write_comment(about=row, text="x", mentions=[], at=NOW, actor=Actor("a program"))

    def test_is_about_one_record(self, row: Round) -> None:
        """The database refuses one about nothing."""
        with pytest.raises(IntegrityError), transaction.atomic():
            Comment.objects.create(text="x", at=NOW, actor="x", actor_user_id=1)


class TestAWithdrawal:
    def test_is_added_and_the_text_stays(self, row: Round) -> None:
        """An auditor reads both."""
        comment = commented(row)

        withdraw_comment(comment_id=comment.pk, reason="Wrong round.", at=NOW, actor=GIULIA)

        stored = Comment.objects.get(pk=comment.pk)
        assert (stored.text, stored.withdrawal.text) == ("Odd.", "Wrong round.")
        record = AuditRecord.objects.get(action="COMMENT_WITHDRAWN")
        assert (record.subject, record.details["reason"]) == ("round:r-1", "Wrong round.")

    def test_is_the_authors(self, row: Round) -> None:
        """Nobody silences a colleague."""
        comment = commented(row)

        with pytest.raises(NotTheAuthor):
            withdraw_comment(comment_id=comment.pk, reason="x", at=NOW, actor=LORENZO)

    def test_is_made_once_and_stands(self, row: Round) -> None:
        """Neither the comment nor its withdrawal is withdrawn again."""
        comment = commented(row)
        withdrawal = withdraw_comment(comment_id=comment.pk, reason="x", at=NOW, actor=GIULIA)

        for pk in (comment.pk, withdrawal.pk):
            with pytest.raises(AlreadyWithdrawn):
                withdraw_comment(comment_id=pk, reason="x", at=NOW, actor=GIULIA)
