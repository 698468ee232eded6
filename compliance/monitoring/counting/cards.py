"""Daily card counts, draw by draw, and the evidence against shuffled shoes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final

from django.db import connection

from compliance.monitoring.counting.settled_rounds import SETTLED
from compliance.monitoring.models import DailyCards, DailyEvidence, What
from compliance.monitoring.statistics.card_draws import Dealt, Draws, no_draws, read_draws
from compliance.trail.key_ranges import KeyRange
from rounds.rules.cards import CARDS, INDEX
from rounds.rules.catalogue import rule_set

_PORTION: Final = 2_000
_FRESH: Final = bytes(len(CARDS))
# Rounds with a ruling are left out: the reported cards are not those that were dealt.
_ROUNDS: Final = f"""
    SELECT settled.table_id, settled.rules, round.shoe_seen, round.cards
      FROM {SETTLED} AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id AND {{rounds}}
     WHERE settled.kind = 'settled' AND NOT EXISTS (
           SELECT FROM rounds_storedruling AS ruling
            WHERE ruling.round_id = settled.round_id AND ruling.sequence = settled.sequence)
"""


def count_cards(day: date, keys: KeyRange) -> None:
    """Stores the day's cards and their evidence."""
    draws_by_table: defaultdict[tuple[int, str], Draws] = defaultdict(no_draws)
    for portion in _portions(keys):
        by_table: defaultdict[tuple[int, str], list[Dealt]] = defaultdict(list)
        for table_id, rules, seen, cards in portion:
            dealt = Dealt([INDEX[card[-2:]] for card in cards], bytes(seen or _FRESH))
            by_table[table_id, rules].append(dealt)
        for (table_id, rules), rounds in by_table.items():
            draws = read_draws(rounds, decks=rule_set(rules).decks)
            draws_by_table[table_id, rules] = draws_by_table[table_id, rules].plus(draws)
    _store(day, draws_by_table.items())


def _portions(keys: KeyRange) -> Iterator[list[tuple[Any, ...]]]:
    """The rounds in batches, through a server-side cursor."""
    connection.ensure_connection()
    with (
        connection.wrap_database_errors,
        connection.connection.cursor("monitoring_cards") as cursor,
    ):
        cursor.execute(_ROUNDS.format(rounds=keys.holds("round.id")))
        while rows := cursor.fetchmany(_PORTION):
            yield rows


def _store(day: date, draws_by_table: Iterable[tuple[tuple[int, str], Draws]]) -> None:
    cards, evidence = [], []
    for (table_id, rules), draws in draws_by_table:
        key = {"day": day, "table_id": table_id, "rules": rules}
        cards.append(
            DailyCards(
                **key,
                rounds=draws.rounds,
                dealt=draws.dealt.tolist(),
                expected=draws.expected.tolist(),
                variance=draws.variance.tolist(),
            )
        )
        fields = {"what": What.CARDS, "kind": "", "logs": draws.logs.tolist()}
        evidence.append(DailyEvidence(**key, **fields, rounds=draws.rounds))
    DailyCards.objects.bulk_create(cards)
    DailyEvidence.objects.bulk_create(evidence)
