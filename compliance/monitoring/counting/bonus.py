"""Daily figures of bonus levels, points, grids and multiplier cards."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Final

from django.db import connection

from compliance.certification.returns.fire_blaze import point_chances
from compliance.monitoring.counting.settled_rounds import SETTLED
from compliance.monitoring.models import DailyEvidence, DailyOccurrence, What
from compliance.monitoring.statistics.chances import NO_LEVEL, level_alternatives, watched_levels
from compliance.monitoring.statistics.evidence import Evidence
from compliance.trail.key_ranges import KeyRange
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.catalogue import rule_set

Of = DailyOccurrence.Of

_BONUS: Final = f"""
    INSERT INTO monitoring_dailyoccurrence (day, table_id, rules, "of", name, times)
    SELECT %s, table_id, rules, counted."of", counted.name, count(*)
      FROM {SETTLED}
     CROSS JOIN LATERAL (VALUES
           ('level', coalesce(bonus->>'level', '{NO_LEVEL}')),
           ('points', bonus->>'points'),
           ('grid', (bonus->>'level') || ' ' || (bonus->>'multiplier'))) AS counted ("of", name)
     WHERE kind = 'settled' AND jsonb_typeof(bonus) = 'object' AND counted.name IS NOT NULL
     GROUP BY 2, 3, 4, 5
"""
_MULTIPLIER_CARDS: Final = f"""
    INSERT INTO monitoring_dailyoccurrence (day, table_id, rules, "of", name, times)
    SELECT %s, settled.table_id, settled.rules, 'card', shown->>1, count(*)
      FROM {SETTLED} AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id AND {{rounds}}
     CROSS JOIN LATERAL jsonb_array_elements(
           CASE jsonb_typeof(round.multipliers) WHEN 'array' THEN round.multipliers END) AS shown
     WHERE settled.kind = 'settled'
     GROUP BY 2, 3, 5
"""


def count_bonus(day: date, keys: KeyRange) -> None:
    """Stores the day's bonus figures, their expected counts, and the evidence of levels."""
    with connection.cursor() as cursor:
        cursor.execute(_BONUS, [day])
        cursor.execute(_MULTIPLIER_CARDS.format(rounds=keys.holds("round.id")), [day])
    by_table: defaultdict[tuple[int, str], dict[str, int]] = defaultdict(dict)
    for occurrence in DailyOccurrence.objects.filter(day=day, of=Of.LEVEL):
        by_table[occurrence.table_id, occurrence.rules][occurrence.name] = occurrence.times
    for (table_id, rules), levels in by_table.items():
        key = {"day": day, "table_id": table_id, "rules": rules}
        evidence = Evidence(level_alternatives(rules))
        evidence.add_counts(levels)
        DailyEvidence.objects.create(
            **key, what=What.LEVELS, kind="", rounds=evidence.rounds, logs=evidence.logs
        )
        _expect(key, evidence.rounds)


def _expect(key: Mapping[str, object], rounds: int) -> None:
    """Sets the expected counts of levels and points; adds rows for those that never occurred."""
    rows: list[DailyOccurrence] = []
    for of, chances in _chances(str(key["rules"])).items():
        occurrences = DailyOccurrence.objects.filter(**key, of=of)
        times = dict(occurrences.values_list("name", "times"))
        occurrences.delete()
        rows += [
            DailyOccurrence(
                **key, of=of, name=name, times=times.get(name, 0), expected=rounds * chance
            )
            for name, chance in chances.items()
        ]
    DailyOccurrence.objects.bulk_create(rows)


def _chances(rules: str) -> Mapping[str, Mapping[str, float]]:
    levels, game = watched_levels(rules), rule_set(rules).declaration
    if levels is None or not isinstance(game, BlackjackGame):
        return {}
    return {
        Of.LEVEL: {outcome.name: float(outcome.probability) for outcome in levels.outcomes},
        Of.POINTS: {str(points): float(chance) for points, chance in point_chances(game).items()},
    }
