"""Daily totals follow the settlements; the digest of results is verifiable."""

import hashlib
from datetime import date, datetime

import pytest

from compliance.trail.models import AuditRecord
from payouts.reconciliation.bookings import booked_on
from payouts.reconciliation.control_totals import control_totals
from payouts.settlement.daily_totals import Sums, TotalKey, Totals
from payouts.settlement.models import BetSettlement, DailyBets, DailyRounds, Settlement
from rounds.gaming_day import gaming_day
from rounds.models import Round
from rounds.rule_inputs import rounds_to_judge
from rounds.rules.verdict import LOSE, VOID, WIN, Grade
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.exports.report_rows import play_golden_chips
from tests.documents import baccarat_round, held_baccarat_round, lines


def milliseconds(moment: str) -> int:
    """Milliseconds since 1970."""
    return int(datetime.fromisoformat(moment).timestamp() * 1000)


class TestAGamingDay:
    @pytest.mark.parametrize(
        ("moment", "day"),
        [
            ("2026-11-21T22:59:59+00:00", date(2026, 11, 21)),
            ("2026-11-21T23:00:00+00:00", date(2026, 11, 22)),
            ("2026-07-01T21:59:59+00:00", date(2026, 7, 1)),
            ("2026-07-01T22:00:00+00:00", date(2026, 7, 2)),
            ("9999-12-31T23:30:00+00:00", date(9999, 12, 31)),
        ],
    )
    def test_begins_at_midnight_in_rome(self, moment: str, day: date) -> None:
        """In winter and summer, and at the end of the calendar."""
        assert gaming_day(milliseconds(moment)) == day


@pytest.mark.django_db
class TestTheTotalsOfADay:
    def test_are_those_of_its_settlements(self) -> None:
        """The held round does not count."""
        open_table()
        documents = (baccarat_round("r-1"), baccarat_round("r-2"), held_baccarat_round("r-3"))
        ingest(lines(*documents))

        settle()

        rounds = DailyRounds.objects.get()
        assert (rounds.rounds, rounds.void_rounds) == (2, 0)
        settled = Settlement.objects.all()
        bets = list(DailyBets.objects.all())
        assert sum(row.bets for row in bets) == BetSettlement.objects.count()
        assert sum(row.staked_cents for row in bets) == sum(row.staked_cents for row in settled)
        assert sum(row.payout_cents for row in bets) == sum(row.payout_cents for row in settled)

    def test_grow_with_further_batches(self) -> None:
        """The rows are updated."""
        open_table()
        for number in range(3):
            ingest(lines(baccarat_round(f"r-{number}")))
            settle()

        assert DailyRounds.objects.get().rounds == 3

    def test_subtract_a_removed_settlement(self) -> None:
        """The totals return to zero."""
        table = open_table()
        ingest(lines(baccarat_round("r-1")))
        [stored] = rounds_to_judge([Round.objects.get().id])
        bets = stored.dealt.bets
        grades = [Grade(WIN, 2000, 0, ("w",)), *[Grade(LOSE, 0, 0, ("l",))] * (len(bets) - 1)]
        key = TotalKey(date(2026, 11, 21), table.id, "baccarat/1")
        totals = Totals()

        totals.add(key, Sums(bets, grades), is_void=False)
        totals.add(key, Sums(bets, grades), is_void=False, sign=-1)
        totals.write(stripe=0)

        assert DailyRounds.objects.get().rounds == 0
        sums = DailyBets.objects.values_list("bets", "staked_cents", "payout_cents")
        assert set(sums) == {(0, 0, 0)}

    def test_count_void_rounds_and_bets_apart(self) -> None:
        """A void round with its stakes given back."""
        table = open_table()
        ingest(lines(baccarat_round("r-1")))
        [stored] = rounds_to_judge([Round.objects.get().id])
        bets = stored.dealt.bets
        grades = [Grade(VOID, bet.stake_cents, 0, ("v",)) for bet in bets]
        totals = Totals()

        key = TotalKey(date(2026, 11, 21), table.id, "baccarat/1")
        totals.add(key, Sums(bets, grades), is_void=True)
        totals.write(stripe=0)

        assert DailyRounds.objects.get().void_rounds == 1
        assert sum(row.void_bets for row in DailyBets.objects.all()) == len(bets)


@pytest.mark.django_db
class TestTheControlTotals:
    def test_keep_golden_chips_apart(self) -> None:
        """Cash: 20, 5, 10, 1 and a raise of 10.00. Chips: five times 10 and 1.00."""
        play_golden_chips()

        day = date(2026, 11, 21)
        [line] = control_totals(day, booked_on(day))["games"]

        assert (line["staked_cents"], line["staked_chips_cents"]) == (4600, 5100)


@pytest.mark.django_db
class TestTheDigestOfResults:
    def test_is_sha256_over_a_line_for_each_bet(self) -> None:
        """Recomputed from the stored rows; the record has it, too."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        settle()

        text = "".join(
            f"{row.bet_number}\t{row.outcome}\t{row.payout_cents}\t{row.chips_cents}"
            f"\t{{{','.join(row.reasons)}}}\n"
            for row in BetSettlement.objects.order_by("bet_number")
        )
        digest = hashlib.sha256(text.encode()).digest()
        assert bytes(Settlement.objects.get().results_digest) == digest
        record = AuditRecord.objects.get(action="ROUND_SETTLED")
        assert record.details["results_digest"] == digest.hex()
