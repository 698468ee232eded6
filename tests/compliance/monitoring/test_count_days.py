"""Daily counts against the same figures computed in Python from stored rows."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connections

from compliance.monitoring.models import (
    CountedDay,
    DailyCards,
    DailyEvidence,
    DailyOccurrence,
    DailyOutcome,
    DailyReturn,
    DailyVoids,
)
from compliance.monitoring.services.count_days import count_day, count_days
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round
from rounds.rules.cards import CARDS
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.monitoring.dealt_rounds import FIRST, play_baccarat, simulated
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import void
from tests.rounds.contract.by_hand import MFB

DAY = date(2026, 11, 21)
FIGURES = (DailyCards, DailyEvidence, DailyOccurrence, DailyOutcome, DailyReturn, DailyVoids)


def figures() -> dict[str, list[dict[str, Any]]]:
    """All counted rows."""
    return {
        model.__name__: sorted((dict(row) for row in model.objects.values()), key=str)
        for model in (*FIGURES, CountedDay)
    }


def latest_bets() -> Iterator[tuple[Bet, BetSettlement]]:
    """Bets with their latest settlement, without void rounds."""
    latest = dict(Settlement.objects.order_by("sequence").values_list("round_id", "sequence"))
    void_rounds = {
        settlement.round_id
        for settlement in Settlement.objects.filter(kind="void")
        if settlement.sequence == latest[settlement.round_id]
    }
    paid = {
        (settled.round_id, settled.bet_number): settled
        for settled in BetSettlement.objects.all()
        if settled.sequence == latest[settled.round_id]
    }
    for bet in Bet.objects.all():
        result = paid.get((bet.round_id, bet.number))
        if result and result.outcome != "void" and bet.round_id not in void_rounds:
            yield bet, result


@pytest.mark.django_db
class TestASimulatedCasino:
    @pytest.fixture(autouse=True)
    def counted(self) -> None:
        """Every game but zappit, some rounds broken; all in one day."""
        games = ("baccarat", "blackjack", "mega-fire-blaze", "quantum")
        simulated(*games, rounds=240, faults=0.2)
        assert count_days() == 1

    @pytest.mark.slow
    def test_has_the_money_of_each_kind_round_by_round(self) -> None:
        """Sums and sums of squares, golden chips apart."""
        by_round: defaultdict[tuple[str, str, Any], list[int]] = defaultdict(lambda: [0, 0, 0])
        for bet, paid in latest_bets():
            if not bet.golden:
                money = by_round[bet.round.rules, bet.kind, bet.round_id]
                money[0] += 1
                money[1] += bet.stake_cents + bet.raised_cents
                money[2] += paid.payout_cents
        expected: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 7)
        for (rules, kind, _), (bets, staked, payout) in by_round.items():
            added = (1, bets, staked, payout, staked**2, staked * payout, payout**2)
            sums = expected[rules, kind]
            expected[rules, kind] = [a + b for a, b in zip(sums, added, strict=True)]

        returns = {
            (daily.rules, daily.kind): [
                daily.rounds,
                daily.bets,
                daily.staked_cents,
                daily.payout_cents,
                int(daily.staked_squared),
                int(daily.staked_by_payout),
                int(daily.payout_squared),
            ]
            for daily in DailyReturn.objects.all()
            if daily.bets
        }
        assert returns == dict(expected)
        assert len(returns) > 15

    @pytest.mark.slow
    def test_has_the_outcomes_of_each_round_a_box_once(self) -> None:
        """As the settlement gives its first reason."""
        boxes: defaultdict[tuple[str, str, Any], dict[int | None, str]] = defaultdict(dict)
        for bet, paid in latest_bets():
            if bet.kind != "main":
                boxes[bet.round.rules, bet.kind, bet.round_id][bet.box] = paid.reasons[0]
        expected = Counter(
            (rules, kind, " ".join(sorted(outcomes.values())))
            for (rules, kind, _), outcomes in boxes.items()
        )

        outcomes = {
            (daily.rules, daily.kind, daily.outcomes): daily.rounds
            for daily in DailyOutcome.objects.all()
        }
        assert outcomes == expected

    @pytest.mark.slow
    def test_has_every_card_of_settled_rounds(self) -> None:
        """Expected and dealt cards have the same total."""
        settled = Settlement.objects.filter(kind="settled").values("round_id")
        rounds = Round.objects.filter(id__in=settled, rulings=None)
        dealt = Counter(card[-2:] for round_ in rounds for card in round_.cards)

        counted = Counter[str]()
        for daily in DailyCards.objects.all():
            counted.update(dict(zip(CARDS, daily.dealt, strict=True)))
            assert sum(daily.expected) == pytest.approx(sum(daily.dealt))
            assert sum(daily.variance) < sum(daily.dealt)
        assert counted == dealt
        assert {row.rules for row in DailyCards.objects.all()} == {row.rules for row in rounds}

    def test_has_points_levels_grids_and_multiplier_cards(self) -> None:
        """Of every settled round of the game; levels and points that never occurred are zero."""
        bonuses = [
            settlement.bonus
            for settlement in Settlement.objects.filter(kind="settled")
            if settlement.bonus is not None
        ]
        levels = Counter(bonus["level"] or "none" for bonus in bonuses)
        quantum = Settlement.objects.filter(kind="settled", rules="quantum-blackjack/1")
        shown = Counter(
            value for settlement in quantum for _card, value in settlement.round.multipliers or ()
        )

        def times(of: str) -> dict[str, int]:
            rows = DailyOccurrence.objects.filter(of=of, times__gt=0)
            return dict(rows.values_list("name", "times"))

        assert times("level") == levels
        assert times("points") == Counter(str(bonus["points"]) for bonus in bonuses)
        assert times("card") == shown
        expected = DailyOccurrence.objects.filter(of="level").values_list("expected", flat=True)
        assert sum(value or 0.0 for value in expected) == pytest.approx(len(bonuses))
        assert len(expected) == 6

    def test_counted_again_is_the_same(self) -> None:
        """A second count changes nothing."""
        before = figures()

        assert count_days() == 0
        assert count_day(before["CountedDay"][0]["day"], force=True)

        assert figures() == before


@pytest.mark.django_db
class TestARoundSettledAgain:
    def test_is_removed_if_void(self) -> None:
        """Of two equal rounds one stays: 10.00 on Player paid 20.00."""
        open_table()
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2", session="M000000000000002")))
        settle()
        count_days()
        before = DailyReturn.objects.get(kind="player")
        void("r-2", after=1)

        assert count_days() == 1

        after = DailyReturn.objects.get(kind="player")
        assert (before.rounds, before.staked_cents, before.payout_cents) == (2, 2000, 4000)
        assert (after.rounds, after.staked_cents, after.payout_cents) == (1, 1000, 2000)
        assert DailyCards.objects.get().rounds == 1

    def test_says_what_the_void_round_would_have_paid(self) -> None:
        """22.00 staked, 25.00 paid: the void saved 3.00."""
        open_table()
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2", session="M000000000000002")))
        settle()
        void("r-2", after=1)

        count_days()

        voids = DailyVoids.objects.get()
        assert (voids.rounds, voids.house_won, voids.house_lost) == (1, 0, 1)
        assert (voids.void_rounds, voids.void_not_judged) == (1, 0)
        assert (voids.void_house_won, voids.void_house_lost) == (0, 1)
        assert (voids.void_staked_cents, voids.void_payout_cents) == (2200, 2500)

    def test_with_a_missing_card_is_not_judged(self) -> None:
        """Three cards are no coup."""
        open_table()
        cards = [["P", "4S"], ["B", "7H"], ["P", "5D"]]
        ingest(lines(baccarat_round("r-1", cards=cards, incident="malfunction")))
        settle()

        count_days()

        voids = DailyVoids.objects.get()
        assert (voids.void_rounds, voids.void_not_judged, voids.void_staked_cents) == (1, 1, 0)


@pytest.mark.django_db
class TestADay:
    def test_is_that_of_play_in_rome(self) -> None:
        """23:30 UTC is the next day."""
        open_table()
        late = {"opened_at": "2026-11-21T23:30:00Z", "closed_at": "2026-11-21T23:30:15Z"}
        bets = [baccarat_bet("b1", "player", "10.00", placed_at="2026-11-21T23:30:05Z")]
        late_round = baccarat_round("r-2", ended_at="2026-11-21T23:31:00Z", bets=bets, **late)
        ingest(lines(baccarat_round("r-1"), late_round))
        settle()

        assert count_days() == 2

        days = DailyReturn.objects.filter(kind="player").order_by("day")
        assert [day.day for day in days] == [DAY, DAY + timedelta(days=1)]

    def test_is_counted_once_more_when_a_round_comes_late(self) -> None:
        """Only its own day is counted again."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        count_days()
        ingest(lines(baccarat_round("r-2", session="M000000000000002")))
        settle()

        assert count_days() == 1

        assert DailyReturn.objects.get(kind="player").rounds == 2

    def test_has_no_alternative_for_main_bets(self) -> None:
        """Their return depends on the players."""
        simulated("blackjack", rounds=20)

        count_days()

        kinds = set(DailyEvidence.objects.filter(what="return").values_list("kind", flat=True))
        assert kinds <= {"perfect_pairs", "21+3"}
        assert DailyReturn.objects.filter(kind="main").exists()
        assert MFB not in set(DailyEvidence.objects.values_list("rules", flat=True))


def test_two_workers_at_once_count_each_day_once(fresh_casino: str) -> None:
    """The second waits and finds the days counted."""
    for number in range(3):
        play_baccarat(20, table=f"bac-{number}", first=FIRST + timedelta(days=number))

    def work(_number: int) -> int:
        try:
            return count_days()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as workers:
        counted = list(workers.map(work, range(2)))

    assert sum(counted) == 3
    assert sum(daily.rounds for daily in DailyReturn.objects.all()) == 60
    once = figures()
    for day in CountedDay.objects.all():
        count_day(day.day, force=True)
    assert figures() == once
