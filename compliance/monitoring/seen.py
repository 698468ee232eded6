"""What all watches have seen until a day, held to what is certified."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from django.db import connection

from compliance.monitoring.chances import (
    bet_alternatives,
    level_alternatives,
    void_alternatives,
    void_outcomes,
)
from compliance.monitoring.evidence import Alternative, Evidence, log_evidence
from compliance.monitoring.held_to import HeldTo, bet_is_held_to
from compliance.monitoring.models import What
from compliance.monitoring.spread import Sums

_NOTHING: Final = HeldTo(None, None)

# All tables of a rule set together only where there is more than one: else it is the table's own.
_RETURNS: Final = f"""
    SELECT rules, kind, table_id, {", ".join(f"sum({name})" for name in Sums._fields)}
      FROM monitoring_dailyreturn WHERE day <= %s
     GROUP BY GROUPING SETS ((rules, kind, table_id), (rules, kind))
    HAVING GROUPING(table_id) = 0 OR count(DISTINCT table_id) > 1
"""  # noqa: S608  our own names
_EVIDENCE: Final = """
    WITH said AS (
        SELECT what, rules, kind, table_id, place, sum(one) AS one, sum(rounds) AS rounds
          FROM monitoring_dailyevidence AS daily
         CROSS JOIN unnest(daily.logs) WITH ORDINALITY AS log (one, place)
         WHERE day <= %s
         GROUP BY what, rules, kind, table_id, place
    ), summed AS (
        SELECT what, rules, kind, table_id, place, sum(one) AS one, sum(rounds) AS rounds
          FROM said
         GROUP BY GROUPING SETS ((what, rules, kind, table_id, place), (what, rules, kind, place))
        HAVING GROUPING(table_id) = 0 OR count(DISTINCT table_id) > 1
    )
    SELECT what, rules, kind, table_id, max(rounds)::bigint, array_agg(one ORDER BY place)
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
    """What a watch is about; ``table_id`` None for all tables of the rule set."""

    what: str
    rules: str
    kind: str
    table_id: int | None


class Seen(NamedTuple):
    """What a watch has seen since its start."""

    rounds: int
    log_evidence: float | None = None
    leans: float | None = None
    returned: float | None = None
    z: float | None = None
    held_to: HeldTo = _NOTHING


def seen_until(day: date) -> dict[Key, Seen]:
    """Every watch that there is something to see of, until this day, which is among it."""
    evidence = {Key(*row[:4]): row[4:] for row in _rows(_EVIDENCE, day)}
    found = dict(_returns(day, evidence))
    for key, (rounds, logs) in evidence.items():
        if key.what != What.RETURN:
            found[key] = _weighed(rounds, logs, _alternatives(key))
    found |= dict(_voids(day))
    return found


def _returns(
    day: date, evidence: Mapping[Key, tuple[int, Sequence[float]]]
) -> Iterator[tuple[Key, Seen]]:
    held_to: Callable[[str, str], HeldTo] = cache(bet_is_held_to)
    for rules, kind, table_id, *columns in _rows(_RETURNS, day):
        key = Key(What.RETURN.value, rules, kind, table_id)
        sums, certified = Sums(*map(int, columns)), held_to(rules, kind)
        seen = Seen(sums.rounds)
        if key in evidence:
            seen = _weighed(*evidence[key], bet_alternatives(rules, kind))
        z = None
        if certified.certified is not None and certified.variance is not None:
            z = sums.z(certified.certified, certified.variance)
        yield key, seen._replace(returned=sums.returned, z=z, held_to=certified)


def _alternatives(key: Key) -> Sequence[Alternative]:
    """Of what is no bet; those of cards are no returns."""
    return level_alternatives(key.rules) if key.what == What.LEVELS else ()


def _weighed(rounds: int, logs: Sequence[float], alternatives: Sequence[Alternative]) -> Seen:
    leans = None
    if alternatives:
        leans = max(zip(logs, alternatives, strict=True), key=lambda one: one[0])[1].shift
    return Seen(rounds, log_evidence(logs), leans)


def _voids(day: date) -> Iterator[tuple[Key, Seen]]:
    for rules, table_id, void_won, void_lost, won, lost in _rows(_VOIDS, day):
        alternatives = void_alternatives(house_won=won, house_lost=lost)
        key = Key(What.VOIDS.value, rules, "", table_id)
        if not alternatives or not void_won + void_lost:
            yield key, Seen(0)
            continue
        evidence = Evidence(alternatives)
        evidence.add_counts(void_outcomes(house_won=void_won, house_lost=void_lost))
        yield key, Seen(evidence.rounds, evidence.log_value, evidence.leans())


def _rows(query: str, day: date) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [day])
        return list(cursor.fetchall())
