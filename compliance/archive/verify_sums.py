"""What an archived month adds to balances and days, from its files."""

from pathlib import Path

import duckdb

from compliance.archive.archive_list import ArchiveList
from compliance.archive.archived_rounds import open_month
from compliance.archive.verify_archive import BadArchive
from compliance.storage.partitions import Month
from compliance.trail.key_ranges import month_keys
from payouts.reconciliation.carried_sums import sums_of_month


def verify_sums(folder: Path, archive: ArchiveList) -> None:
    """Adds up the transfers, bets and bookings of a verified archive. Raises BadArchive.

    The list states the digest of the sums, and the database counts them once the month is detached.
    """
    year, month = archive.month.split("-")
    try:
        with open_month(folder, archive) as rounds:
            found = sums_of_month(month_keys(Month(int(year), int(month))), rounds.fetch).sha256
    except duckdb.Error as error:
        raise BadArchive(f"carried_sha256: {error}") from None
    if found != archive.carried_sha256:
        raise BadArchive(
            f"carried_sha256: found {archive.carried_sha256}; needed {found}, as the files add up"
        )
