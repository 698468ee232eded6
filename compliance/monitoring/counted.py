"""Cards, bonuses and void rounds as the daily figures have them, for ``queries``."""

from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.monitoring.evidence import log_evidence
from compliance.monitoring.models import What
from compliance.monitoring.windows import SINCE_START, Window
from rounds.rules.cards import CARDS


class CardCount(NamedTuple):
    """How often a card was dealt; ``expected`` given what had left each shoe before each draw."""

    card: str
    dealt: int
    expected: float
    variance: float
    """Of how often it came, likewise."""
    z: float
    """Standard errors by which it came too often (above 0) or too seldom."""


class CardCounts(NamedTuple):
    """All 52 cards, in the order of ``CARDS``; none where nothing was dealt."""

    rounds: int
    cards: tuple[CardCount, ...]
    log_evidence: float | None
    """That cards do not leave the shoe as from a shuffled one, from this window alone."""


class Frequency(NamedTuple):
    """How often something of a bonus or a multiplier card came."""

    of: str
    """``DailyOccurrence.Of``: level, points, grid, card."""
    name: str
    """``"none"`` and the levels; the points; ``"mini 25"``; the value of a multiplier card."""
    times: int
    total: int
    """Of all of this kind together; of a grid, of its level."""
    expected: float | None
    """Times that it should have come; None where no chance is certified."""


class VoidRate(NamedTuple):
    """Void rounds of a table, and whether they were bad ones for the house; money in cents."""

    table: str
    rules: str
    rounds: int
    """Settled with bets and not void."""
    house_won: int
    house_lost: int
    void_rounds: int
    void_not_judged: int
    """Of the void rounds those whose cards are not enough to say what they would have paid."""
    void_house_won: int
    """Would have paid less than was staked: the void cost the house."""
    void_house_lost: int
    """Would have paid more than was staked: the void spared the house."""
    void_staked_cents: int
    void_payout_cents: int
    """What the void rounds that could be judged would have paid."""

    @property
    def void_share(self) -> float | None:
        """Void rounds by all rounds."""
        every = self.rounds + self.void_rounds
        return self.void_rounds / every if every else None

    @property
    def spared_cents(self) -> int:
        """What the voids spared the house; below nothing where they cost it."""
        return self.void_payout_cents - self.void_staked_cents


def card_counts(
    table: str | None,
    rules: str,
    window: Window = SINCE_START,
    *,
    database: str = DEFAULT_DB_ALIAS,
) -> CardCounts:
    """The cards that a table dealt by a rule set, or all tables (None)."""
    asked = {"table": table, "rules": rules, "what": What.CARDS.value, **window.asked}
    with connections[database].cursor() as cursor:
        cursor.execute(_CARDS.format(window=window.holds("day")), asked)
        rows = cursor.fetchall()
        cursor.execute(_LOGS_IN.format(window=window.holds("day")), asked)
        logs = [total for _place, total in cursor.fetchall()]
        cursor.execute(_ROUNDS_IN.format(window=window.holds("day")), asked)
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
    """Levels, points, grids and multiplier cards of a table or of all tables (None)."""
    with connections[database].cursor() as cursor:
        asked = {"table": table, "rules": rules, **window.asked}
        cursor.execute(_OCCURRENCES.format(window=window.holds("day")), asked)
        return [Frequency(*row) for row in cursor.fetchall()]


def void_rates(window: Window = SINCE_START, *, database: str = DEFAULT_DB_ALIAS) -> list[VoidRate]:
    """Every table and rule set with rounds in the window, by its code."""
    with connections[database].cursor() as cursor:
        cursor.execute(_VOIDS.format(window=window.holds("day")), window.asked)
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
"""  # noqa: S608  our own names
_LOGS_IN: Final = f"""
    SELECT place, sum(one) FROM monitoring_dailyevidence AS daily
     CROSS JOIN unnest(daily.logs) WITH ORDINALITY AS said (one, place)
     WHERE what = %(what)s AND {_AT_TABLE}
     GROUP BY place ORDER BY place
"""  # noqa: S608  our own names
_ROUNDS_IN: Final = f"""
    SELECT coalesce(sum(rounds), 0)::bigint FROM monitoring_dailycards WHERE {_AT_TABLE}
"""  # noqa: S608  our own names
_OCCURRENCES: Final = f"""
    SELECT "of", name, sum(times)::bigint AS times,
           (sum(sum(times)) OVER (
               PARTITION BY "of", CASE "of" WHEN 'grid' THEN split_part(name, ' ', 1) END))::bigint,
           sum(expected)
      FROM monitoring_dailyoccurrence
     WHERE {_AT_TABLE}
     GROUP BY "of", name
     ORDER BY "of", (regexp_match(name, '[0-9]+$'))[1]::bigint NULLS FIRST, name
"""  # noqa: S608  our own names
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
