"""Rounds whose month is archived and no longer in the database: they are named, not read."""

import logging
from pathlib import Path
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.api.problems import FieldError, Problem, declare_problem
from casino.integrations.caller import Caller
from compliance.archive.recorded_archives import RecordedArchive, latest_archive
from compliance.exports.bundle.signing import certificate_digests
from compliance.storage.partitions import month_of_key
from rounds.models import Customer, RoundName

ROUND_ARCHIVED: Final = declare_problem(
    "round-archived",
    409,
    gettext_lazy("The round is archived"),
    gettext_lazy(
        "Its month is no longer in the database. Ask the operator to attach the month again, or to"
        " restore it from the archive that errors names; then send the same request."
    ),
)
ARCHIVE_BUSY: Final = declare_problem(
    "archive-busy",
    503,
    gettext_lazy("Another round of the archive is being read"),
    gettext_lazy("Send the same request again after the number of seconds in Retry-After."),
)
_RETRY_SECONDS: Final = "2"
_log = logging.getLogger(__name__)


def archived_problem(
    round_id: UUID, name: str, caller: Caller, customer: Customer | None, *, field: str
) -> Problem | None:
    """That the round of this name is archived; None if the key may not know, or no archive has it.

    Call it for a round that is not in the database. Whether there is a round of this id, at one of
    the key's tables and with a bet of the key's customer, is read from the archive; a host that
    cannot read it knows of none. Raises Problem (503) while another round is read.
    """
    month = month_of_key(round_id)
    recorded = None if month is None else latest_archive(month)
    if recorded is None:
        return None
    is_known = RoundName.objects.filter(reference=name).exists()
    reads_all = customer is None and not caller.key.tables
    if not ((is_known and reads_all) or _may_know(round_id, recorded, caller, customer)):
        return None
    text = _("the month %(month)s in the database: attached again, or restored from %(archive)s")
    needed = text % {"month": recorded.month, "archive": recorded.name}
    return Problem(ROUND_ARCHIVED, errors=[FieldError(field, name, needed)])


def _may_know(
    round_id: UUID, recorded: RecordedArchive, caller: Caller, customer: Customer | None
) -> bool:
    from compliance.archive.read_round import (  # noqa: PLC0415  DuckDB takes 28 MB per process
        ArchiveBusy,
        open_round,
    )
    from compliance.archive.verify_archive import BadArchive  # noqa: PLC0415  as above

    keys = certificate_digests(Path(settings.EXPORT_KEY))
    try:
        with open_round(round_id, folder=Path(settings.ARCHIVE_FOLDER), keys=keys) as opened:
            if opened is None:
                return False
            table, has_bet = opened.seen_by(None if customer is None else customer.pseudonym)
    except ArchiveBusy:
        raise Problem(ARCHIVE_BUSY, headers={"Retry-After": _RETRY_SECONDS}) from None
    except BadArchive as error:
        _log.warning("archive %s cannot be read: %s", recorded.name, error)
        return False
    return caller.covers_table(table) and (customer is None or has_bet)
