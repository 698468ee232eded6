"""Queries on daily figures: cards, bonuses, void rounds."""

from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.monitoring.models import What
from compliance.monitoring.statistics.evidence import log_evidence
from compliance.monitoring.windows import SINCE_START, Window
from rounds.rules.cards import CARDS


class CardCount(NamedTuple):
    """Observed and expected count of a card, expected by the composition of each shoe."""

    card: str
    dealt: int
    expected: float
    variance: float
    """Variance of the count."""
    z: float
    """Deviation in standard errors; above 0 for too often."""


class CardCounts(NamedTuple):
    """Counts of all 52 cards, in the order of ``CARDS``; empty if nothing was dealt."""

    rounds: int
    cards: tuple[CardCount, ...]
    log_evidence: float | None
    """Evidence in this window that the shoes are not shuffled."""


class Frequency(NamedTuple):
    """Frequency of a bonus event or multiplier card."""

    of: str
    """``DailyOccurrence.Of``: level, points, grid, card."""
    name: str
    """``"none"`` and the levels; the points; ``"mini 25"``; the value of a multiplier card."""
    times: int
    total: int
    """Total of this kind; of a grid, of its level."""
    expected: float | None
    """Expected count; None where no chance is certified."""


class VoidRate(NamedTuple):
    """Void rounds of a table, and what they would have paid; money in cents."""

    table: str
    rules: str
    rounds: int
    """Settled rounds with bets that are not void."""
    house_won: int
    house_lost: int
    void_rounds: int
    void_not_judged: int
    """Void rounds without enough cards to compute their payout."""
    void_house_won: int
    """Void rounds that would have paid less than was staked: the void cost the house money."""
    void_house_lost: int
    """Void rounds that would have paid more than was staked: the void saved the house money."""
    void_staked_cents: int
    void_payout_cents: int
    """Payout of the void rounds that could be judged."""

    @property
    def void_share(self) -> float | None:
        """Share of void rounds in all rounds."""
        rounds = self.rounds + self.void_rounds
        return self.void_rounds / rounds if rounds else None

    @property
    def spared_cents(self) -> int:
        """Gain of the house from the voids; negative for a cost."""
        return self.void_payout_cents - self.void_staked_cents


def card_counts(
    table: str | None,
    rules: str,
    window: Window = SINCE_START,
    *,
    database: str = DEFAULT_DB_ALIAS,
) -> CardCounts:
    """Card counts of a table and rule set; None for all tables."""
    parameters = {"table": table, "rules": rules, "what": What.CARDS.value, **window.parameters}
    with connections[database].cursor() as cursor:
        cursor.execute(_CARDS.format(window=window.condition("day")), parameters)
        rows = cursor.fetchall()
        cursor.execute(_LOGS_IN.format(window=window.condition("day")), parameters)
        logs = [total for _place, total in cursor.fetchall()]
        cursor.execute(_ROUNDS_IN.format(window=window.condition("day")), parameters)
        (rounds,) = cursor.fetchone()
    cards = tuple(
        CardCount(
            CARDS[place - 1],
            dealt,
            expected,
            variance,
            (dealt - expected) / (variance or 1.0) ** 0.5,
        )
        for place, dealt, expected, variance in rows
    )
    return CardCounts(rounds, cards, log_evidence(logs) if logs else None)


def bonus_counts(
    table: str | None,
    rules: str,
    window: Window = SINCE_START,
    *,
    database: str = DEFAULT_DB_ALIAS,
) -> list[Frequency]:
    """Levels, points, grids and multiplier cards of a table; None for all tables."""
    with connections[database].cursor() as cursor:
        parameters = {"table": table, "rules": rules, **window.parameters}
        cursor.execute(_OCCURRENCES.format(window=window.condition("day")), parameters)
        return [Frequency(*row) for row in cursor.fetchall()]


def void_rates(window: Window = SINCE_START, *, database: str = DEFAULT_DB_ALIAS) -> list[VoidRate]:
    """Void rates of every table and rule set with rounds in the window, by table code."""
    with connections[database].cursor() as cursor:
        cursor.execute(_VOIDS.format(window=window.condition("day")), window.parameters)
        return [VoidRate(*row) for row in cursor.fetchall()]


_AT_TABLE: Final = """
    rules = %(rules)s AND {window} AND (%(table)s::text IS NULL
    OR table_id = (SELECT id FROM rounds_table WHERE code = %(table)s))
"""
_CARDS: Final = f"""
    SELECT place, sum(card.dealt)::bigint, sum(card.expected), sum(card.variance)
      FROM monitoring_dailycards AS daily
     CROSS JOIN unnest(daily.dealt, daily.expected, daily.variance)
                WITH ORDINALITY AS card (dealt, expected, variance, place)
     WHERE {_AT_TABLE}
     GROUP BY place ORDER BY place
"""
_LOGS_IN: Final = f"""
    SELECT place, sum(log) FROM monitoring_dailyevidence AS daily
     CROSS JOIN unnest(daily.logs) WITH ORDINALITY AS entry (log, place)
     WHERE what = %(what)s AND {_AT_TABLE}
     GROUP BY place ORDER BY place
"""
_ROUNDS_IN: Final = f"""
    SELECT coalesce(sum(rounds), 0)::bigint FROM monitoring_dailycards WHERE {_AT_TABLE}
"""
_OCCURRENCES: Final = f"""
    SELECT "of", name, sum(times)::bigint AS times,
           (sum(sum(times)) OVER (
               PARTITION BY "of", CASE "of" WHEN 'grid' THEN split_part(name, ' ', 1) END))::bigint,
           sum(expected)
      FROM monitoring_dailyoccurrence
     WHERE {_AT_TABLE}
     GROUP BY "of", name
     ORDER BY "of", (regexp_match(name, '[0-9]+$'))[1]::bigint NULLS FIRST, name
"""
_VOIDS: Final = """
    SELECT code, daily.rules, sum(rounds)::bigint, sum(house_won)::bigint, sum(house_lost)::bigint,
           sum(void_rounds)::bigint, sum(void_not_judged)::bigint, sum(void_house_won)::bigint,
           sum(void_house_lost)::bigint, sum(void_staked_cents)::bigint,
           sum(void_payout_cents)::bigint
      FROM monitoring_dailyvoids AS daily
      JOIN rounds_table AS dealt_at ON dealt_at.id = daily.table_id
     WHERE {window}
     GROUP BY code, daily.rules ORDER BY code, daily.rules
"""
