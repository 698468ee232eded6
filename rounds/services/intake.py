"""Lookups of a batch: its tables, stored rounds, shoes and customers."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from rounds.models import Round, RoundName, ShoeOpening, Table
from rounds.rules import facts
from rounds.rules.shoe import Shoe
from rounds.services.limits_in_force import sets_in_force
from rounds.signatures.requirements import is_earlier, latest_action, requires_signature
from rounds.suspended_tables import UNTIL_RESUMED, suspensions_of

# Pseudonyms are passed as JSON, because psycopg adapts each element of a list.
_CUSTOMERS: Final = """
    SELECT pseudonym, id FROM rounds_customer
     WHERE pseudonym = ANY(ARRAY(SELECT jsonb_array_elements_text(%s::jsonb)))
"""
# Sorted, so that two batches with the same new customers never deadlock.
_ADD_CUSTOMERS: Final = """
    INSERT INTO rounds_customer (pseudonym)
    SELECT pseudonym FROM jsonb_array_elements_text(%s::jsonb) AS pseudonym ORDER BY pseudonym
        ON CONFLICT DO NOTHING
    RETURNING pseudonym, id
"""


class KnownTable(NamedTuple):
    """A registered table, as ingestion needs it."""

    id: int
    rules: str
    limit_set_id: int | None
    suspended_at: datetime | None
    requires_signature: bool

    def due_at(self, *, opened_at: datetime, at: datetime) -> datetime:
        """When a round that arrives at ``at`` is due for settlement."""
        waits = self.suspended_at is not None and opened_at >= self.suspended_at
        return UNTIL_RESUMED if waits else at


def known_tables(codes: Collection[str]) -> dict[str, KnownTable]:
    """The registered tables among these codes, with the limits in force."""
    rows = Table.objects.filter(code__in=codes)
    tables = list(rows.annotate(latest_action=latest_action(), is_earlier=is_earlier()))
    ids = [table.pk for table in tables]
    limits, suspensions = sets_in_force(ids), suspensions_of(ids)
    return {
        t.code: KnownTable(
            t.pk,
            t.rules,
            limits[t.pk].pk if t.pk in limits else None,
            suspensions[t.pk].at if t.pk in suspensions else None,
            requires_signature(t, action=t.latest_action, is_earlier=t.is_earlier),
        )
        for t in tables
    }


def stored_rounds(references: Collection[str]) -> dict[str, tuple[UUID, bytes]]:
    """Id and content digest of the stored rounds among these."""
    names = RoundName.objects.filter(reference__in=references)
    rows = names.values_list("reference", "round_id", "digest")
    return {reference: (identity, bytes(digest)) for reference, identity, digest in rows}


def is_in_database(round_id: UUID) -> bool:
    """Whether the round itself is stored: of a detached month the name alone is."""
    return Round.objects.filter(pk=round_id).exists()


def stored_openings(shoes: Collection[str]) -> set[tuple[str, bytes]]:
    """The (shoe, digest) pairs of the stored openings of these shoes."""
    rows = ShoeOpening.objects.filter(shoe__in=shoes).values_list("shoe", "digest")
    return {(shoe, bytes(digest)) for shoe, digest in rows}


def shoes_now(shoes: Collection[str]) -> dict[str, Shoe]:
    """The state of each of these shoes after its last round or opening."""
    latest: dict[str, tuple[int, Shoe]] = {}
    openings = ShoeOpening.objects.filter(shoe__in=shoes).order_by("shoe", "-arrival")
    for opening in openings.distinct("shoe"):
        announced = facts.ShoeOpening(
            opening.shoe, "", 0, tuple(opening.burnt), opening.burnt_face_down
        )
        latest[opening.shoe] = (opening.arrival, Shoe.opened(announced))
    rounds = Round.objects.filter(shoe__in=shoes).order_by("shoe", "-arrival").distinct("shoe")
    fields = ("shoe", "arrival", "drawn", "shoe_position", "shoe_seen", "cards")
    for shoe, arrival, drawn, position, seen, cards in rounds.values_list(*fields):
        if shoe not in latest or arrival > latest[shoe][0]:
            before = Shoe(position, bytes(seen))
            latest[shoe] = (arrival, before.dealt(drawn=drawn, cards=[c[-2:] for c in cards]))
    return {shoe: state for shoe, (_, state) in latest.items()}


def customer_ids(pseudonyms: Collection[str]) -> dict[str, int]:
    """The ids of the customers by pseudonym; inserts new customers."""
    ids: dict[str, int] = {}
    # Once more at the end, for customers that another batch inserted in the meantime.
    for statement in (_CUSTOMERS, _ADD_CUSTOMERS, _CUSTOMERS):
        missing = list(set(pseudonyms) - ids.keys())
        if missing:
            with connection.cursor() as cursor:
                cursor.execute(statement, [json.dumps(missing)])
                ids.update(cursor.fetchall())
    return ids


def next_arrivals(count: int) -> list[int]:
    """``count`` unique arrival numbers, ascending."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('rounds_arrival') FROM generate_series(1, %s)", [count])
        return [number for (number,) in cursor.fetchall()]
