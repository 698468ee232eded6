"""Observations of all watches up to a day, compared with certified figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from django.db import connection

from compliance.monitoring.expected_returns import ExpectedReturn, expected_return
from compliance.monitoring.models import What
from compliance.monitoring.statistics.chances import (
    bet_alternatives,
    level_alternatives,
    void_alternatives,
    void_outcomes,
)
from compliance.monitoring.statistics.evidence import Alternative, Evidence, log_evidence
from compliance.monitoring.statistics.variance import Sums

_NOTHING: Final = ExpectedReturn(None, None)

# The total over all tables exists only for more than one table.
_RETURNS: Final = f"""
    SELECT rules, kind, table_id, {", ".join(f"sum({name})" for name in Sums._fields)}
      FROM monitoring_dailyreturn WHERE day <= %s
     GROUP BY GROUPING SETS ((rules, kind, table_id), (rules, kind))
    HAVING GROUPING(table_id) = 0 OR count(DISTINCT table_id) > 1
"""
_EVIDENCE: Final = """
    WITH entry AS (
        SELECT what, rules, kind, table_id, place, sum(log) AS log, sum(rounds) AS rounds
          FROM monitoring_dailyevidence AS daily
         CROSS JOIN unnest(daily.logs) WITH ORDINALITY AS daily_log (log, place)
         WHERE day <= %s
         GROUP BY what, rules, kind, table_id, place
    ), summed AS (
        SELECT what, rules, kind, table_id, place, sum(log) AS log, sum(rounds) AS rounds
          FROM entry
         GROUP BY GROUPING SETS ((what, rules, kind, table_id, place), (what, rules, kind, place))
        HAVING GROUPING(table_id) = 0 OR count(DISTINCT table_id) > 1
    )
    SELECT what, rules, kind, table_id, max(rounds)::bigint, array_agg(log ORDER BY place)
      FROM summed GROUP BY what, rules, kind, table_id
"""
_VOIDS: Final = """
    SELECT rules, table_id, sum(void_house_won)::bigint, sum(void_house_lost)::bigint,
           sum(sum(house_won)) OVER of_rules::bigint, sum(sum(house_lost)) OVER of_rules::bigint
      FROM monitoring_dailyvoids WHERE day <= %s
     GROUP BY GROUPING SETS ((rules, table_id), (rules))
    HAVING GROUPING(table_id) = 0 OR count(DISTINCT table_id) > 1
    WINDOW of_rules AS (PARTITION BY rules, GROUPING(table_id))
"""


class Key(NamedTuple):
    """Key of a watch; ``table_id`` is None for all tables of the rule set."""

    what: str
    rules: str
    kind: str
    table_id: int | None


class Observation(NamedTuple):
    """Observed figures of a watch since its start."""

    rounds: int
    log_evidence: float | None = None
    leans: float | None = None
    returned: float | None = None
    z: float | None = None
    expected: ExpectedReturn = _NOTHING


def observations_until(day: date) -> dict[Key, Observation]:
    """Observations of every watch with data, up to and including a day."""
    evidence = {Key(*row[:4]): row[4:] for row in _rows(_EVIDENCE, day)}
    observations = dict(_returns(day, evidence))
    for key, (rounds, logs) in evidence.items():
        if key.what != What.RETURN:
            observations[key] = _with_evidence(rounds, logs, _alternatives(key))
    observations |= dict(_voids(day))
    return observations


def _returns(
    day: date, evidence: Mapping[Key, tuple[int, Sequence[float]]]
) -> Iterator[tuple[Key, Observation]]:
    expected: Callable[[str, str], ExpectedReturn] = cache(expected_return)
    for rules, kind, table_id, *columns in _rows(_RETURNS, day):
        key = Key(What.RETURN.value, rules, kind, table_id)
        sums, certified = Sums(*map(int, columns)), expected(rules, kind)
        observation = Observation(sums.rounds)
        if key in evidence:
            observation = _with_evidence(*evidence[key], bet_alternatives(rules, kind))
        z = None
        if certified.certified is not None and certified.variance is not None:
            z = sums.z(certified.certified, certified.variance)
        yield key, observation._replace(returned=sums.returned, z=z, expected=certified)


def _alternatives(key: Key) -> Sequence[Alternative]:
    """Alternatives of watches other than bets; empty for cards."""
    return level_alternatives(key.rules) if key.what == What.LEVELS else ()


def _with_evidence(
    rounds: int, logs: Sequence[float], alternatives: Sequence[Alternative]
) -> Observation:
    leans = None
    if alternatives:
        leans = max(zip(logs, alternatives, strict=True), key=lambda pair: pair[0])[1].shift
    return Observation(rounds, log_evidence(logs), leans)


def _voids(day: date) -> Iterator[tuple[Key, Observation]]:
    for rules, table_id, void_won, void_lost, won, lost in _rows(_VOIDS, day):
        alternatives = void_alternatives(house_won=won, house_lost=lost)
        key = Key(What.VOIDS.value, rules, "", table_id)
        if not alternatives or not void_won + void_lost:
            yield key, Observation(0)
            continue
        evidence = Evidence(alternatives)
        evidence.add_counts(void_outcomes(house_won=void_won, house_lost=void_lost))
        yield key, Observation(evidence.rounds, evidence.log_value, evidence.leans())


def _rows(query: str, day: date) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [day])
        return list(cursor.fetchall())
