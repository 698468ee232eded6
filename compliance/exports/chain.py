"""The chain of manifests, and how far each of its bundles has come."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.db import connection

from compliance.exports.models import Bundle, BundleStep
from compliance.exports.standing import Stage, stage_of, steps_of, superseded

_BROKEN: Final = """
    SELECT min(number) FROM (
        SELECT number, previous_digest, row_number() OVER (ORDER BY number) AS place,
               lag(manifest_digest) OVER (ORDER BY number) AS before
          FROM exports_bundle) AS chained
     WHERE number <> place OR previous_digest IS DISTINCT FROM before
"""


class Standing(NamedTuple):
    """A bundle and where it stands."""

    bundle: Bundle
    stage: Stage
    steps: Sequence[BundleStep]
    successor: int | None

    @property
    def state(self) -> str:
        """The name of its pill: what was superseded before it was answered is that."""
        ended = (Stage.RECEIVED, Stage.SET_ASIDE)
        if self.successor is not None and self.stage not in ended:
            return "bundle-superseded"
        return f"bundle-{self.stage.value}"


def standings(bundles: Iterable[Bundle]) -> list[Standing]:
    """Each of these bundles with where it stands, in two queries."""
    rows = list(bundles)
    steps: Mapping[int, list[BundleStep]] = steps_of(rows)
    successors = superseded(rows)
    return [
        Standing(
            row,
            stage_of(steps.get(row.number, [])),
            steps.get(row.number, []),
            successors.get(row.number),
        )
        for row in rows
    ]


def first_break() -> int | None:
    """The first bundle whose number or digest does not follow the one before; None in a whole."""
    with connection.cursor() as cursor:
        cursor.execute(_BROKEN)
        (number,) = cursor.fetchone()
    return number if number is None else int(number)
