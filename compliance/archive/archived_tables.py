"""Which tables an archive contains, and which of their rows.

All rows of the month of every table that is partitioned by month; of other tables the rows that
those refer to, so that the archive can be read and judged without the database.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from django.apps import apps
from django.db.models import Model

from compliance.storage.partitions import Month
from compliance.trail.key_ranges import KeyRange, key_ranges, month_keys, trail_ranges

ROUNDS: Final = "rounds"
"""The slices of tables of rounds."""
_TRAIL: Final = "trail"
_OF_RECORDS: Final = {"trail", "signatures"}
"""The applications whose keys are those of audit records."""
_WEIGHT_OF_ROUNDS: Final = 200_000
"""The weight of a slice of rounds: its bets, plus ten per round."""
_RECORDS: Final = 200_000
"""The weight of a slice of the audit log: its records, plus ten per batch."""

_WHOLE: Final = "true"
_ROUND_IDS: Final = "round_id IN (SELECT id FROM rounds_round WHERE {id})"
_BATCHES: Final = "SELECT signed_batch_id FROM rounds_round WHERE {id}"
_HEADS: Final = "SELECT head_id FROM trail_loggedbatch WHERE {batch_id}"
_REFERRED: Final = {
    "rounds_customer": "id IN (SELECT customer_id FROM rounds_bet WHERE {round_id})",
    "rounds_earlierruleset": _WHOLE,
    "rounds_earliertable": _WHOLE,
    "rounds_roundname": "reference IN (SELECT reference FROM rounds_round WHERE {id})",
    "rounds_roundvideo": _ROUND_IDS,
    "rounds_shoeopening": "shoe IN (SELECT shoe FROM rounds_round WHERE {id})",
    "rounds_signedbatch": f"id IN ({_BATCHES})",
    "rounds_signedchunk": f"batch_id IN ({_BATCHES})",
    "rounds_stakelimit": _WHOLE,
    "rounds_stakelimitset": _WHOLE,
    "rounds_studiokey": _WHOLE,
    "rounds_studiokeystep": _WHOLE,
    "rounds_table": _WHOLE,
    "signatures_signingkey": _WHOLE,
    "signatures_signingkeystep": _WHOLE,
    "trail_cosignature": f"head_id IN ({_HEADS})",
    "trail_logkey": _WHOLE,
    "trail_treehead": f"sequence IN ({_HEADS})",
}
"""By table without a month of its own, the condition of the rows that a month refers to.

Names in braces are columns of keys in the range of the month.
"""
_KEYS: Final = ("id", "round_id", "batch_id")
_KEYED: Final = {
    "payouts_goodwillcredit": "id",
    "payouts_payover": "id",
    "rounds_storedruling": "round_id",
    "signatures_decisionsignature": "record_id",
}
"""Tables that are not partitioned, and the column that is a version 7 UUID of the month."""


class ArchivedTable(NamedTuple):
    """A table, its primary key, and the rows of it that an archive contains."""

    name: str
    key: tuple[str, ...]
    """The columns that order its rows."""
    month_column: str
    """The column of a version 7 UUID that says the month; empty for a table without one."""
    slices: str
    """The slices in which the table is written: those of rounds, of the audit log, or none."""

    def condition(self, keys: KeyRange) -> str:
        """The SQL condition of the rows whose month, or part of it, is this range."""
        if self.month_column:
            return keys.holds(self.month_column)
        return _REFERRED[self.name].format(**{name: keys.holds(name) for name in _KEYS})


def archived_tables() -> list[ArchivedTable]:
    """Every table of an archive, by name."""
    return sorted(_tables())


def month_slices(month: Month, *, database: str) -> dict[str, list[KeyRange]]:
    """The slices of a month, by the kind of table that is written in them.

    All tables of rounds have the same slices, so the files of one slice are all of its rounds.
    """
    keys = month_keys(month)
    rounds = key_ranges(
        "rounds_round", weight="bet_count", most=_WEIGHT_OF_ROUNDS, within=keys, using=database
    )
    records = trail_ranges(most=_RECORDS, within=keys, using=database)
    return {ROUNDS: rounds, _TRAIL: records, "": [keys]}


def _tables() -> Iterator[ArchivedTable]:
    for model in apps.get_models():
        name = model._meta.db_table
        month_column = getattr(model, "partition_key", _KEYED.get(name, ""))
        if model._meta.proxy or not (month_column or name in _REFERRED):
            continue
        kind = _TRAIL if model._meta.app_label in _OF_RECORDS else ROUNDS
        yield ArchivedTable(name, _key_of(model), month_column, kind if month_column else "")


def _key_of(model: type[Model]) -> tuple[str, ...]:
    columns = [field.column for field in model._meta.pk_fields]
    return tuple([column for column in columns if column is not None])
