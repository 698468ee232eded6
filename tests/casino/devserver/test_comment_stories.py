"""The demo has comments, a video reference and replay links to look at."""

from pathlib import Path

import pytest
from pytest_django import Settings

from casino.devserver.comment_stories import comment_on_dispute
from casino.devserver.demo import make_people
from compliance.exports.models import ReplayLink, ReplayLinkRevocation
from payouts.comments.models import Comment
from rounds.models import RoundVideo
from tests.casino_in_play import by_now, ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.disputes.dispute_scenarios import disputed, take


@pytest.mark.django_db
class TestTheCommentsOfTheDemo:
    def test_are_written_once_about_the_dispute_in_review(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        """A second start of the demo adds nothing."""
        settings.VAR_DIR = tmp_path
        make_people(passwords_file=tmp_path / "passwords.json")
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        assert not comment_on_dispute(now=by_now)
        take(disputed())

        assert [comment_on_dispute(now=by_now) for _ in range(2)] == [True, False]

        mentioned = Comment.objects.exclude(mentions=[]).count()
        withdrawn = Comment.objects.exclude(withdraws=None).count()
        assert (mentioned, withdrawn) == (3, 1)
        assert RoundVideo.objects.count() == 1
        assert (ReplayLink.objects.count(), ReplayLinkRevocation.objects.count()) == (2, 1)
