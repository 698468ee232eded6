"""Batches of a feed whose studio signs, and what became of them."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from rounds.models import Round
from rounds.signatures.verify_signatures import verify_signatures
from tests.attacks.forgeries import as_owner
from tests.documents import baccarat_round, lines

HELD = ["unsigned-source"]


def batch(*references: str, **fields: Any) -> bytes:
    """Lines of a feed."""
    return b"".join(
        line + b"\n" for line in lines(*(baccarat_round(name, **fields) for name in references))
    )


def held() -> list[str]:
    """The references of rounds that are held as unsigned."""
    rows = Round.objects.filter(arrival_anomalies=HELD).order_by("reference")
    return list(rows.values_list("reference", flat=True))


def faults() -> list[str]:
    """What the verifier names."""
    reported: list[str] = []
    verify_signatures(reported.append)
    return reported


def without_triggers(statement: str, parameters: Sequence[Any] = ()) -> None:
    """Runs SQL as somebody who has disabled the triggers."""
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)


A, B, C = batch("r-a1", "r-a2"), batch("r-b1", "r-b2"), batch("r-c1", "r-c2")
