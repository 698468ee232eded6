"""The chain of manifests, and the status of its bundles."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.db import connection

from compliance.exports.bundle_status import Stage, stage_of, steps_of, superseded
from compliance.exports.models import Bundle, BundleStep

_BROKEN: Final = """
    SELECT min(number) FROM (
        SELECT number, previous_digest, row_number() OVER (ORDER BY number) AS place,
               lag(manifest_digest) OVER (ORDER BY number) AS before
          FROM exports_bundle) AS chained
     WHERE number <> place OR previous_digest IS DISTINCT FROM before
"""


class BundleStatus(NamedTuple):
    """A bundle with its stage, steps and successor."""

    bundle: Bundle
    stage: Stage
    steps: Sequence[BundleStep]
    successor: int | None

    @property
    def state(self) -> str:
        """The name of its badge; supersession takes precedence until the bundle is answered."""
        final = (Stage.RECEIVED, Stage.SET_ASIDE)
        if self.successor is not None and self.stage not in final:
            return "bundle-superseded"
        return f"bundle-{self.stage.value}"


def bundle_statuses(bundles: Iterable[Bundle]) -> list[BundleStatus]:
    """The status of each of these bundles, in two queries."""
    rows = list(bundles)
    steps: Mapping[int, list[BundleStep]] = steps_of(rows)
    successors = superseded(rows)
    return [
        BundleStatus(
            row,
            stage_of(steps.get(row.number, [])),
            steps.get(row.number, []),
            successors.get(row.number),
        )
        for row in rows
    ]


def first_break() -> int | None:
    """The first bundle that breaks the chain of numbers and digests; None if it is intact."""
    with connection.cursor() as cursor:
        cursor.execute(_BROKEN)
        (number,) = cursor.fetchone()
    return number if number is None else int(number)
