"""Stored rounds with implausible times, which arrived before times were checked."""

import json
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from rounds.arrival import ArrivalLimits
from rounds.rules.catalogue import RULE_SETS

_IMPLAUSIBLE: Final = """
    SELECT round.id, round.reference, round.opened_at::text, round.ended_at::text,
           round.received_at::text, round.staked_cents
      FROM rounds_round AS round
     WHERE (round.opened_at AT TIME ZONE 'Europe/Rome')::date
           < coalesce((%(in_force)s::jsonb ->> round.rules)::date, '-infinity')
        OR round.ended_at > round.received_at + %(skew)s * interval '1 second'
        OR EXISTS (SELECT FROM rounds_bet AS bet
                    WHERE bet.round_id = round.id
                      AND bet.placed_at > round.received_at + %(skew)s * interval '1 second')
     ORDER BY round.arrival
"""


class ImplausibleRound(NamedTuple):
    """A round with its times as text, because Python cannot represent all of them."""

    id: UUID
    reference: str
    opened_at: str
    ended_at: str
    received_at: str
    staked_cents: int


def implausible_rounds(limits: ArrivalLimits) -> list[ImplausibleRound]:
    """The stored rounds that would be rejected today, in the order of arrival.

    Reads every round: for commands, not for pages.
    """
    in_force = {rules.name: str(rules.in_force_from) for rules in RULE_SETS.values()}
    params: dict[str, str | float] = {
        "in_force": json.dumps(in_force),
        "skew": limits.max_skew.total_seconds(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_IMPLAUSIBLE, params)
        return list(map(ImplausibleRound._make, cursor.fetchall()))
