"""Closed days never change, and all days together equal the ledger."""

import random
from collections import Counter
from datetime import date, datetime, timedelta

import pytest

from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.gaming_days.models import DayClosing
from payouts.ledger.models import Account
from payouts.ledger.transfer_to_wallet import pay_over
from payouts.reconciliation.bookings import booked_on
from payouts.reconciliation.control_totals import control_totals, digest_of
from payouts.settlement.models import Settlement
from payouts.settlement.resettle import RoundNotResettleable
from rounds.gaming_day import end_of_day, gaming_day
from rounds.models import Round
from rounds.row_mapping import milliseconds_of
from tests.books import BALANCES_UNLIKE_TRANSFERS, rows_of
from tests.casino_in_play import STUDIO, open_table
from tests.payouts.gaming_days.day_scenarios import DAY, arrive, close, dealt, settle_at
from tests.payouts.reconciliation.five_games import differences
from tests.payouts.settlement.resettlement_scenarios import resettle, void
from tests.repetitions import repeated

_HOUR = timedelta(hours=1)
_OTHERWISE_TOTALLED = """
    SELECT day FROM (
        SELECT day, sum(rounds) AS rounds, sum(void_rounds) AS void FROM payouts_dailyrounds
         GROUP BY day) AS kept
      FULL JOIN (
        SELECT booked_on AS day, count(*) FILTER (WHERE sequence = 1) AS rounds
          FROM payouts_settlement GROUP BY 1) AS made USING (day)
     WHERE coalesce(kept.rounds, 0) <> coalesce(made.rounds, 0)
"""


class _Days:
    """A casino that plays, settles, corrects and closes at random."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._now = end_of_day(DAY - timedelta(days=1))
        self._dealt = 0
        self.done: Counter[str] = Counter()

    def live(self, steps: int) -> None:
        """Makes this many steps; days are closed when they are over."""
        weights = {self._deal: 6, self._decide: 6, self._pay_over: 2, self._close: 2}
        for step in self._chance.choices(list(weights), list(weights.values()), k=steps):
            self._now += self._chance.uniform(0.2, 3) * _HOUR
            step()
            self.assert_closed_days_stand()

    def finish(self) -> None:
        """Closes all remaining days."""
        today = gaming_day(milliseconds_of(self._now))
        while (day := next_day_to_close()) is not None and day <= today:
            self._close()

    def assert_closed_days_stand(self) -> None:
        """Asserts that the bookings of closed days equal their recorded totals."""
        for closing in DayClosing.objects.order_by("day"):
            totals = control_totals(closing.day, booked_on(closing.day))
            assert totals == closing.totals
            assert digest_of(totals) == bytes(closing.digest)

    def _deal(self) -> None:
        """A round of now, or of hours or days ago; sometimes held, mostly settled at once."""
        back = self._chance.choice((0, 0, 0, 5, 30)) * _HOUR
        self._dealt += 1
        reference = f"r-{self._dealt}"
        held = self._chance.random() < 0.15
        arrive(dealt(reference, _whole(self._now - back), held=held), at=self._now)
        if self._chance.random() < 0.8:
            settle_at(self._now)
        late = stored_day(reference) != gaming_day(milliseconds_of(_whole(self._now - back)))
        self.done["late rounds"] += late

    def _decide(self) -> None:
        known = list(Round.objects.order_by("arrival").values_list("id", "reference"))
        if not known:
            return
        round_id, reference = self._chance.choice(known)
        seen = Settlement.objects.filter(round_id=round_id).count()
        decide = self._chance.choice((void, resettle))
        try:
            decide(reference, after=seen, at=self._now)
        except RoundNotResettleable:
            self.done["refused"] += 1
        else:
            latest = Settlement.objects.filter(round_id=round_id).order_by("-sequence")[0]
            elsewhere = latest.booked_on != gaming_day(
                milliseconds_of(Round.objects.get(id=round_id).opened_at)
            )
            self.done["corrections of closed days" if elsewhere else "corrections"] += 1

    def _pay_over(self) -> None:
        account = Account.objects.filter(kind="customer", balance_cents__gt=1).first()
        if account is not None:
            pay_over(
                reference=f"w-{self._now.timestamp()}",
                customer_id=account.customer_id or 0,
                cents=account.balance_cents // 2,
                at=self._now,
                actor=STUDIO,
            )

    def _close(self) -> None:
        day = next_day_to_close()
        if day is None:
            return
        self._now = max(self._now, end_of_day(day)) + self._chance.uniform(0.1, 3) * _HOUR
        settle_at(self._now)
        close(day, at=self._now)
        self.done["closed"] += 1


def stored_day(reference: str) -> date:
    """The booking day of the round."""
    return Round.objects.get(reference=reference).booked_on


def _whole(at: datetime) -> datetime:
    return at.replace(microsecond=0)


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(1, 40), (2, 40), pytest.param(3, max(repeated(400), 80), marks=pytest.mark.slow)],
)
class TestClosedDays:
    @pytest.mark.slow
    def test_never_change_and_sum_to_the_ledger(
        self, fresh_casino: str, seed: int, steps: int
    ) -> None:
        """With late rounds, corrections and pay-overs around every closing."""
        open_table()
        days = _Days(seed)

        days.live(steps)
        days.finish()

        days.assert_closed_days_stand()
        assert {"closed", "late rounds", "corrections", "corrections of closed days"} <= set(
            +days.done
        )
        assert differences() == []
        assert_all_days_are_the_ledger()


def assert_all_days_are_the_ledger() -> None:
    """Asserts that each transfer is in one day, and balances are sums of days."""
    closings = list(DayClosing.objects.order_by("day"))
    moved: Counter[str] = Counter()
    for closing in closings:
        for purpose, sums in closing.totals["ledger"]["cash"].items():
            moved[purpose] += sums["cents"]
    stored = rows_of(
        "SELECT purpose, sum(amount_cents)::bigint FROM payouts_transfer GROUP BY purpose"
    )
    assert dict(moved) == dict(stored)
    balances = dict(
        rows_of("SELECT kind, sum(balance_cents)::bigint FROM payouts_account GROUP BY kind")
    )
    assert (
        sum(closing.totals["all"]["gross_win_cents"] for closing in closings) == balances["house"]
    )
    assert closings[-1].totals["all"]["held_cents"] == balances["stakes_held"]
    assert rows_of(BALANCES_UNLIKE_TRANSFERS) == []
    assert rows_of(_OTHERWISE_TOTALLED) == []
