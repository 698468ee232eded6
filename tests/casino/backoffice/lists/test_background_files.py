"""Files of many rows: requested on the list, made by a worker, downloaded by their owner."""

import csv
import io
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import Http404
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from casino.access.roles import ADMINISTRATOR
from casino.backoffice.lists.background_files import (
    MOST_ATTEMPTS,
    MOST_FILES,
    TooManyFiles,
    make_list_files,
    request_file,
)
from casino.backoffice.lists.models import KEPT_FOR, ListFile, ListFilePart
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_text
from tests.casino.backoffice.rounds.listed_rounds import LIST, round_at
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import lines

pytestmark = pytest.mark.django_db

RECORDS: Final = "/admin/trail/auditrecord/"
FILES: Final = "/admin/lists/files/"
NOON: Final = datetime(2026, 11, 10, 11, 0, tzinfo=UTC)


def note(number: int, *, subject: str = "note:1") -> None:
    """This many audit records, by somebody whose name a spreadsheet would execute."""
    entries = [Entry("RECONCILED", subject, {})] * number
    record_entries(entries, at=NOON, actor=Actor("=cmd|' /C calc'!A0"))


def requested(**other: Any) -> ListFile:
    """The supervisor's request of the records with ``note:1``."""
    wanted: dict[str, Any] = {
        "owner": User.objects.get(username="supervisor"),
        "list_name": "audit-records",
        "path": RECORDS,
        "query": "subject=note%3A1&columns=who&columns=about",
        "file_format": "csv",
        "language": "en",
        **other,
    }
    return request_file(ListFile(**wanted), at=timezone.now())


def made(**other: Any) -> ListFile:
    """Such a request after a worker saw it."""
    file = requested(**other)
    make_list_files(now=timezone.now)
    file.refresh_from_db()
    return file


def content_of(client: Client, file: ListFile) -> bytes:
    """The file as its owner gets it."""
    answer: Any = client.get(f"{FILES}{file.pk}/")
    content = b"".join(answer.streaming_content)
    assert int(answer["Content-Length"]) == len(content)
    return content


class TestAFile:
    def test_has_the_filters_and_columns_of_the_request_and_evaluates_nothing(
        self, supervisor: Client
    ) -> None:
        """As a file that is written at once."""
        note(2)
        note(1, subject="note:2")

        content = content_of(supervisor, made())

        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
        assert rows == [["Who", "About"], *[["'=cmd|' /C calc'!A0", "note:1"]] * 2]

    def test_in_italian_has_semicolons(self, supervisor: Client) -> None:
        """The language of the request, not of the worker."""
        note(1)

        content = content_of(supervisor, made(language="it")).decode("utf-8-sig")

        assert content.splitlines()[0] == "Chi;Riguarda"

    def test_as_a_workbook_has_numbers_and_times(self, supervisor: Client) -> None:
        """10.00 staked, 20.00 paid, at noon in Rome."""
        open_table()
        ingest(lines(round_at(NOON)))
        settle()

        query = "columns=opened&columns=staked&columns=paid"
        file = made(list_name="rounds", path=LIST, query=query, file_format="xlsx")
        book = load_workbook(io.BytesIO(content_of(supervisor, file)))

        [_headings, row] = book.worksheets[0].iter_rows(values_only=True)
        assert row == (datetime(2026, 11, 10, 12, 0), 10, 20)  # noqa: DTZ001  as spreadsheets have it

    def test_is_shown_to_its_owner_with_progress_and_then_a_link(self, supervisor: Client) -> None:
        """The page listens to the topic of the person, and does not poll."""
        note(1)
        file = requested()

        before = supervisor.get(FILES)
        make_list_files(now=timezone.now)
        after = page_text(supervisor.get(FILES).content)

        assert "audit-records.csv 0 %" in page_text(before.content).replace("&nbsp;", " ")
        assert f'data-live="inbox:{file.owner_id}"' in before.content.decode()
        assert "data-refresh" not in before.content.decode()
        assert "audit-records.csv Done 1" in after

    def test_of_a_person_who_lost_the_rights_is_not_made(self, supervisor: Client) -> None:
        """The rights of when it is made count, not those of the request."""
        note(1)
        file = requested()
        file.owner.groups.clear()

        make_list_files(now=timezone.now)

        file.refresh_from_db()
        assert (file.problem, file.parts.count()) == (ListFile.Problem.REFUSED, 0)
        assert "You no longer have access" in page_text(supervisor.get(FILES).content)

    def test_of_a_closed_account_is_not_made(self, supervisor: Client) -> None:
        """Whoever left the casino takes nothing."""
        file = requested()
        User.objects.filter(pk=file.owner_id).update(is_active=False)

        make_list_files(now=timezone.now)

        file.refresh_from_db()
        assert file.problem == ListFile.Problem.REFUSED

    def test_that_fails_is_tried_again_and_given_up_later(self, supervisor: Client) -> None:
        """A path that no longer exists after an upgrade; *Today* shows the failing task."""
        file = requested(path="/admin/gone/away/")

        for _attempt in range(MOST_ATTEMPTS):
            with pytest.raises(Http404):
                make_list_files(now=timezone.now)
        make_list_files(now=timezone.now)

        file.refresh_from_db()
        assert (file.attempts, file.problem) == (MOST_ATTEMPTS, ListFile.Problem.FAILED)

    def test_is_left_to_the_process_that_makes_one(self, supervisor: Client) -> None:
        """A repeated wake-up makes no second file beside the first."""
        file = requested()
        with psycopg.connect(**connection.get_connection_params()) as other:
            other.execute("SELECT pg_advisory_lock(hashtextextended('list files', 0))")
            make_list_files(now=timezone.now)
            file.refresh_from_db()
            assert file.attempts == 0
            other.execute("SELECT pg_advisory_unlock(hashtextextended('list files', 0))")

        make_list_files(now=timezone.now)

        file.refresh_from_db()
        assert file.is_ready

    def test_is_deleted_after_a_day(self, supervisor: Client) -> None:
        """With its content, and is not offered a moment longer."""
        note(1)
        file = made()
        ListFile.objects.update(requested_at=timezone.now() - KEPT_FOR)

        assert supervisor.get(f"{FILES}{file.pk}/").status_code == 404
        make_list_files(now=timezone.now)

        assert not ListFile.objects.exists()
        assert not ListFilePart.objects.exists()


class TestARequest:
    def test_repeated_is_the_same_file(self, supervisor: Client) -> None:
        """A second click does not start a second file; another format does."""
        assert requested() == requested()
        assert requested(file_format="xlsx") != requested()

    def test_beyond_ten_replaces_the_oldest_file(self, supervisor: Client) -> None:
        """Unfinished ones are never replaced: an eleventh has to wait."""
        oldest = made(query="n=0")
        numbers = count(1)
        for _ in range(MOST_FILES):
            requested(query=f"n={next(numbers)}")

        assert not ListFile.objects.filter(pk=oldest.pk).exists()
        with pytest.raises(TooManyFiles):
            requested(query=f"n={next(numbers)}")

    @pytest.mark.slow
    def test_comes_from_a_click_on_a_list_of_many_rows(self, supervisor: Client) -> None:
        """The page of the files is shown; the parts of the file make all of its rows."""
        subject = f"note:{'x' * 110}"
        note(10_001, subject=subject)
        query = {"subject": subject, "columns": "about", "format": "csv"}

        answers = [supervisor.get(RECORDS, query) for _ in range(2)]
        make_list_files(now=timezone.now)
        file = ListFile.objects.get()

        assert [answer["Location"] for answer in answers] == [FILES, FILES]
        assert file.parts.count() == 2
        content = content_of(supervisor, file).decode("utf-8-sig")
        assert content.splitlines() == ["About", *[subject] * 10_001]


class TestADownload:
    def test_is_recorded_as_that_of_a_short_list(self, supervisor: Client) -> None:
        """Who took how many rows of which list, with its filters; the making is no download."""
        note(1)
        file = made()
        assert not AuditRecord.objects.filter(action="LIST_DOWNLOADED").exists()

        content_of(supervisor, file)

        record = AuditRecord.objects.get(action="LIST_DOWNLOADED")
        assert record.actor_user_id == file.owner_id
        assert record.details == {
            "list": "audit-records",
            "format": "csv",
            "filters": "subject=note%3A1&columns=who&columns=about",
            "rows": 1,
        }

    def test_by_somebody_else_finds_nothing(self, supervisor: Client) -> None:
        """Also with the same role."""
        file = made()
        browser = Client()
        browser.force_login(person(ADMINISTRATOR))

        assert browser.get(f"{FILES}{file.pk}/").status_code == 404
        assert "audit-records" not in page_text(browser.get(FILES).content)

    def test_of_an_unfinished_file_finds_nothing(self, supervisor: Client) -> None:
        """Nobody gets half a file."""
        assert supervisor.get(f"{FILES}{requested().pk}/").status_code == 404

    def test_needs_the_rights_that_the_list_needs(self, supervisor: Client) -> None:
        """They may have been taken since it was made."""
        file = made()
        file.owner.groups.clear()

        assert supervisor.get(f"{FILES}{file.pk}/").status_code == 403
        assert not AuditRecord.objects.filter(action="LIST_DOWNLOADED").exists()
