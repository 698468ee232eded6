"""Rows that state a person's decision, and whether that person signed what they state.

An application declares its rows in ``signed_rows.signed_rows``, as it declares its audit actions.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, Generic, NamedTuple, TypeVar

from django.db.models import Model, QuerySet

from compliance.signatures.signature_verifier import DecidedRow, SignatureVerifier, UnsignedDecision
from compliance.signatures.signed_text import decision_text
from compliance.storage.app_declarations import declarations
from compliance.trail.actor import Actor
from compliance.trail.extra_checks import Report
from compliance.trail.record import Entry

_MOST_KEPT: Final = 10_000
_Row = TypeVar("_Row", bound=Model)


class SignedRow(NamedTuple):
    """The audit record that a row calls for: what its person must have signed."""

    entry: Entry
    at: datetime
    actor: Actor

    @property
    def text(self) -> str:
        """The text that the person signed, made from the row."""
        return decision_text(self.entry, at=self.at, actor=self.actor)


def signed_row(row: DecidedRow) -> SignedRow:
    """What the actor of the row must have signed."""
    return SignedRow(row.entry, row.at, Actor(row.actor, row.actor_user_id))


def require_signed(*rows: SignedRow, verifier: SignatureVerifier | None = None) -> None:
    """Raises UnsignedDecision unless the person of each row signed it."""
    verifier = verifier or SignatureVerifier()
    for row in rows:
        verifier.verify_entry(row.entry, at=row.at, actor=row.actor)


def verify_rows(report: Report) -> str:
    """Reports each declared row whose person did not sign it."""
    verifier, number = SignatureVerifier(), 0
    for _name, rows in declarations("signed_rows", "signed_rows"):
        for row in rows():
            number += 1
            try:
                require_signed(row, verifier=verifier)
            except UnsignedDecision as error:
                report(
                    f"row of {row.entry.action} of {row.entry.subject} by {row.actor.name}: {error}"
                )
    return f"{number} rows of signed decisions"


class KnownSignatures:
    """Verifies the rows of a decision once in a process, for checks of what arrives.

    What was found signed stays signed: rows and signatures are append-only. What was not is
    verified again, because its signature may have been read too early.
    """

    def __init__(self) -> None:
        self._signed: set[tuple[str, ...]] = set()

    def are_signed(self, *rows: SignedRow) -> bool:
        """Whether the person of each of these rows signed it."""
        texts = tuple(row.text for row in rows)
        if texts not in self._signed:
            try:
                require_signed(*rows)
            except UnsignedDecision:
                return False
            if len(self._signed) >= _MOST_KEPT:
                self._signed.clear()
            self._signed.add(texts)
        return True

    def forget(self) -> None:
        """Verifies everything again."""
        self._signed.clear()


class RowsInForce(Generic[_Row]):
    """Finds of each group of rows the one in force: the first that ``is_signed``.

    Each row is verified once in a process: rows and signatures are append-only. Rows that are asked
    for together have one verifier, which verifies the keys and roles of their persons once.
    """

    def __init__(self, is_signed: Callable[[_Row, SignatureVerifier], bool]) -> None:
        self._is_signed = is_signed
        self._signed: set[int] = set()

    def first_of_each(self, group: str, rows: QuerySet[_Row]) -> list[_Row]:
        """The first signed row of each group; the rows are in the order of their groups."""
        refused: list[int] = []
        verifier = SignatureVerifier()
        while True:
            found = list(rows.exclude(pk__in=refused).distinct(group))
            unsigned = [row.pk for row in found if not self._verify(row, verifier)]
            if not unsigned:
                return found
            refused += unsigned

    def signed_among(self, rows: Iterable[_Row]) -> list[_Row]:
        """Those of the rows that are signed, in their order."""
        verifier = SignatureVerifier()
        return [row for row in rows if self._verify(row, verifier)]

    def forget(self) -> None:
        """Verifies everything again."""
        self._signed.clear()

    def _verify(self, row: _Row, verifier: SignatureVerifier) -> bool:
        if row.pk not in self._signed and self._is_signed(row, verifier):
            self._signed.add(row.pk)
        return row.pk in self._signed


def is_signed_row(row: DecidedRow, verifier: SignatureVerifier) -> bool:
    """Whether its person signed it, or decided it before signatures."""
    try:
        verifier.verify_row(row)
    except UnsignedDecision:
        return False
    return True
