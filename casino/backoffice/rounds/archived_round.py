"""The page of a round that is in the archive and not in the database.

It is the page of a live round: the same queries read the rows of the archive (``stand_in_tables``)
and the same templates show them, without what changes anything.
"""

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _

from casino.backoffice.archive.files_of_host import files_obstacle
from casino.backoffice.rounds.round_page import labelled_records
from compliance.archive.recorded_archives import latest_archive
from compliance.exports.bundle.signing import certificate_digests
from compliance.storage.partitions import Month
from compliance.storage.stand_in_tables import stand_in_tables
from rounds.models import Round

PageContext = Callable[[Round], dict[str, Any]]
_RECEIVED: Final = "ROUND_RECEIVED"
_WITHOUT_ACTIONS: Final = {
    "live": "",
    "may_propose": False,
    "may_dispute": False,
    "may_make_link": False,
    "may_handle": False,
}


class ArchivedSource(NamedTuple):
    """Where a round on a page comes from."""

    name: str
    month: str
    written_at: datetime
    key_id: str
    """SHA-256 of the certificate that signs the archive."""
    findings: list[str]
    """What differs from the rules and the archived sums, as texts; the first hundred."""
    differences: int
    has_records: bool
    """Whether it shows audit records of the archive: the database lacks the month of some."""
    stored_records: frozenset[UUID]
    """The shown audit records that the database has."""


class RoundUnavailable(Exception):
    """The round cannot be shown; the text says why, and the status of the page is this."""

    def __init__(self, text: str, status: HTTPStatus, faults: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.faults = faults.splitlines()


def archived_round_context(
    round_id: UUID, month: Month, page_context: PageContext
) -> dict[str, Any]:
    """The context of the round's page, read from the archive of the month that its id says.

    Raises RoundUnavailable: nothing is shown of files that are not those of the signed list.
    """
    from compliance.archive.read_round import (  # noqa: PLC0415  DuckDB takes 28 MB per process
        ArchiveBusy,
        open_round,
    )
    from compliance.archive.verify_archive import BadArchive  # noqa: PLC0415  as above

    name = _require_files(month)
    keys = certificate_digests(Path(settings.EXPORT_KEY))
    try:
        with open_round(round_id, folder=Path(settings.ARCHIVE_FOLDER), keys=keys) as opened:
            if opened is None:
                text = _("Neither the database nor archive %s has a round with this ID.")
                raise RoundUnavailable(text % name, HTTPStatus.NOT_FOUND)
            return _context(opened, page_context)
    except ArchiveBusy:
        text = _("Another round of the archive is being read. Reload this page in a moment.")
        raise RoundUnavailable(text, HTTPStatus.SERVICE_UNAVAILABLE) from None
    except BadArchive as error:
        text = _("Nothing of this round is shown: the files of archive %s are not as recorded.")
        faults = str(error)
        raise RoundUnavailable(text % name, HTTPStatus.SERVICE_UNAVAILABLE, faults) from None


def _require_files(month: Month) -> str:
    """The name of the archive of the month. Raises RoundUnavailable."""
    recorded = latest_archive(month)
    if recorded is None:
        text = _("The database has no round with this ID, and no archive of %s is recorded.")
        raise RoundUnavailable(text % str(month), HTTPStatus.NOT_FOUND)
    if obstacle := files_obstacle():
        text = _("The database has no round with this ID; its month is in archive %s.")
        text = f"{text % recorded.name} {obstacle}"
        raise RoundUnavailable(text, HTTPStatus.SERVICE_UNAVAILABLE)
    return recorded.name


def _context(opened: Any, page_context: PageContext) -> dict[str, Any]:
    judged, stand_ins = opened.judge(), list(opened.stand_ins())
    subject = f"round:{opened.reference}"
    stored = labelled_records(subject)
    lacks_records = not any(record.action == _RECEIVED for _label, record in stored)
    if lacks_records:
        stand_ins.append(opened.records(subject))
    with stand_in_tables(stand_ins):
        rows = Round.objects.select_related("table", "signed_batch__key")
        row = rows.get(pk=opened.id)
        context = page_context(row)
    records = {record.pk: (label, record) for label, record in [*context["records"], *stored]}
    recorded = opened.recorded
    source = ArchivedSource(
        recorded.name,
        recorded.month,
        recorded.written_at,
        recorded.key_id,
        judged.findings,
        judged.differences,
        lacks_records,
        frozenset(record.pk for _label, record in stored),
    )
    context["video"]["form"] = None
    comments = context["comments"]
    comments["may_write"] = False
    comments["lines"] = [line._replace(may_withdraw=False) for line in comments["lines"]]
    shown = {"row": row, "archived": source, "records": [records[key] for key in sorted(records)]}
    return {**context, **_WITHOUT_ACTIONS, **shown}
