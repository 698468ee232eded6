"""Evaluations of fair and biased tables: alarms, and the cases they open."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from math import log

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.utils import timezone

from compliance.monitoring.models import Look, Watch, WatchAlarm, WatchLook
from compliance.monitoring.queries import (
    WatchNow,
    bonus_counts,
    card_counts,
    history_of,
    void_rates,
    watches_now,
)
from compliance.monitoring.services import open_alarm
from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.watch_tables import (
    LookOutOfOrder,
    watch_nightly,
    watch_tables,
)
from compliance.monitoring.tasks import nightly_task
from compliance.monitoring.windows import Window, last_days
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.decide_case import withdraw_case
from payouts.cases.models import Case
from payouts.cases.open_case import ReasonNotInUse
from payouts.cases.status import Stage, stages_of
from rounds.gaming_day import ROME
from tests.casino_in_play import NOW
from tests.compliance.monitoring.dealt_rounds import FIRST, play_baccarat, shoe_without, simulated
from tests.payouts.settlement.resettlement_scenarios import GIULIA

LAST = date(2026, 11, 2)
MONITOR = Actor("table monitor")
ROUNDS = 420


def look(*, last_day: date = LAST) -> Look:
    """Counts new rounds and evaluates."""
    count_days()
    return watch_tables(last_day=last_day, at=NOW, actor=MONITOR)


def now_of(what: str, table: str | None, kind: str = "", window: Window | None = None) -> WatchNow:
    """The current state of the watch of that kind."""
    watches = watches_now() if window is None else watches_now(window)
    [watch] = [row for row in watches if (row.what, row.table, row.kind) == (what, table, kind)]
    return watch


@pytest.mark.django_db
class TestABiasedShoe:
    @pytest.fixture(autouse=True)
    def dealt(self) -> None:
        """One table whose shoes lack nines, and a fair one."""
        play_baccarat(ROUNDS, table="bac-1", of=shoe_without("9"))
        play_baccarat(ROUNDS, table="bac-2")

    def test_gives_alarm_and_opens_one_case(self) -> None:
        """With the latest hundred rounds of the table."""
        first = look()

        [alarm] = first.alarms.filter(watch__table__isnull=False)
        assert alarm.watch.table is not None
        assert (alarm.watch.what, alarm.watch.table.code) == ("cards", "bac-1")
        assert alarm.case.table == alarm.watch.table
        assert (alarm.case.kind, alarm.case.reason.code) == ("malfunction", "drift")
        assert (alarm.case.actor, alarm.case.actor_user_id) == ("table monitor", 0)
        assert alarm.case.rounds.count() == 100
        references = {case_round.round.reference for case_round in alarm.case.rounds.all()}
        assert references == {f"bac-1-20261122-{number}" for number in range(320, 420)}
        assert f"{ROUNDS}" in alarm.case.text
        assert stages_of([alarm.case]) == {alarm.case_id: Stage.DRAFT}

    def test_is_recorded(self) -> None:
        """Alarm, case and evaluation."""
        first = look()

        alarm = first.alarms.get(watch__table__code="bac-1")
        record = AuditRecord.objects.get(subject=f"watch:{alarm.watch_id}")
        assert (record.action, record.actor) == ("TABLE_IN_ALARM", "table monitor")
        assert record.details["case"] == str(alarm.case)
        assert record.details["rounds"] == ROUNDS
        seen = AuditRecord.objects.get(action="TABLES_WATCHED")
        assert seen.details["in_alarm"] == first.found.filter(in_alarm=True).count()

    @pytest.mark.slow
    def test_opens_no_second_case(self) -> None:
        """Neither while the case is open nor while the alarm lasts."""
        opened = look().alarms.count()
        again = look()
        assert again.found.filter(in_alarm=True).count() == opened
        for case in Case.objects.all():
            withdraw_case(case_id=case.pk, seen=1, note="Shoes changed.", at=NOW, actor=GIULIA)

        look()

        assert Case.objects.count() == WatchAlarm.objects.count() == opened

    def test_gives_no_alarm_for_the_fair_table(self) -> None:
        """The fair table has no alarm."""
        look()

        assert not WatchLook.objects.filter(in_alarm=True, watch__table__code="bac-2").exists()

    def test_is_shown_with_its_evidence_and_its_case(self) -> None:
        """Nines of every suit are missing."""
        look()

        watch = now_of("cards", "bac-1")
        assert watch.in_alarm
        assert watch.case_id == WatchAlarm.objects.get(watch_id=watch.watch_id).case_id
        assert watch.rounds == ROUNDS
        assert watch.log_evidence is not None
        assert watch.log_evidence > log(1_000)
        counts = card_counts("bac-1", "baccarat/1")
        assert counts.log_evidence == pytest.approx(watch.log_evidence)
        assert [card.dealt for card in counts.cards if card.card[0] == "9"] == [0] * 4
        assert all(card.z < -3 for card in counts.cards if card.card[0] == "9")
        both = card_counts(None, "baccarat/1")
        assert both.rounds == 2 * ROUNDS

    def test_leaves_nothing_when_its_case_cannot_be_opened(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without a reason for malfunctions the evaluation is rolled back."""
        monkeypatch.setattr(open_alarm, "REASON", "equipment")  # of another purpose
        with pytest.raises(ReasonNotInUse):
            look()
        assert (Look.objects.count(), Watch.objects.count(), Case.objects.count()) == (0, 0, 0)
        monkeypatch.undo()

        assert look().alarms.filter(watch__table__code="bac-1").count() == 1


@pytest.mark.django_db
class TestTablesThatBehave:
    @pytest.mark.slow
    def test_give_no_alarm(self) -> None:
        """Every game, with faults and void rounds."""
        games = ("baccarat", "blackjack", "mega-fire-blaze", "quantum", "zappit")
        simulated(*games, rounds=400, faults=0.05)

        first = look(last_day=LAST + timedelta(days=1))

        assert not first.found.filter(in_alarm=True).exists()
        assert Case.objects.count() == 0
        whats = set(Watch.objects.values_list("what", flat=True))
        assert whats == {"return", "cards", "levels", "voids"}
        frequencies = bonus_counts("mfb-1", "mega-fire-blaze-blackjack/1")
        levels = [frequency for frequency in frequencies if frequency.of == "level"]
        assert sum(level.times for level in levels) == levels[0].total
        assert {rate.table for rate in void_rates()} == {"bac-1", "bj-1", "mfb-1", "qb-1", "zap-1"}

    def test_show_a_return_with_its_certificate(self) -> None:
        """Player at 98.7649 % with its published variance."""
        play_baccarat(100)

        look()

        watch = now_of("return", "bac-1", "player")
        figures = watch.figures
        assert figures is not None
        assert figures.certified == pytest.approx(0.987649, abs=1e-6)
        assert (figures.sums.rounds, figures.sums.staked_cents) == (100, 100_000)
        returned = figures.sums.payout_cents / 100_000
        assert figures.returned == returned
        error = (0.904762 / 100) ** 0.5  # of the variance 4·0.446247 + 0.095156 less 0.987649²
        assert figures.z == pytest.approx((returned - 0.987649) / error, rel=1e-3)
        assert figures.limits_3 == pytest.approx(
            (0.987649 - 3 * error, 0.987649 + 3 * error), rel=1e-3
        )
        assert figures.standard_error == pytest.approx(error, rel=0.2)

    def test_show_main_bets_without_evidence(self) -> None:
        """Nothing is certified yet."""
        simulated("blackjack", rounds=30)

        look()

        watch = now_of("return", "bj-1", "main")
        assert watch.log_evidence is None
        assert watch.figures is not None
        assert watch.figures.returned is not None
        assert (watch.figures.certified, watch.figures.z, watch.figures.limits_2) == (None,) * 3

    def test_have_their_days(self) -> None:
        """Two days of 30 rounds, single and cumulative."""
        play_baccarat(30)
        play_baccarat(30, table="bac-2", first=FIRST + timedelta(days=1))
        look(last_day=LAST + timedelta(days=1))

        watch = Watch.objects.get(what="return", kind="player", table=None)
        first, second = history_of(watch.pk)

        assert (first.day, second.day) == (LAST, LAST + timedelta(days=1))
        assert first.until_day == first.of_day
        assert (first.rounds, second.rounds) == (30, 60)
        assert second.of_day is not None
        assert second.until_day is not None
        assert (second.of_day.sums.rounds, second.until_day.sums.rounds) == (30, 60)
        last = WatchLook.objects.get(watch=watch)
        assert second.log_evidence == pytest.approx(last.log_evidence)
        week = last_days(1, until=LAST + timedelta(days=1))
        assert [day.day for day in history_of(watch.pk, week)] == [second.day]
        assert now_of("return", None, "player", week).figures == second.of_day


@pytest.mark.django_db
class TestALook:
    def test_is_taken_once_a_night(self) -> None:
        """A second beat finds it done."""

        def night(at: datetime) -> Look | None:
            every = timedelta(hours=12)
            return watch_nightly(last_day=LAST, at=at, actor=MONITOR, every=every)

        assert night(NOW) is not None
        assert night(NOW + timedelta(hours=11)) is None
        assert night(NOW + timedelta(days=1)) is not None

    def test_of_the_night_is_about_yesterday(self) -> None:
        """The last day that is over in Europe/Rome."""
        nightly_task()

        today = timezone.now().astimezone(ROME).date()
        assert Look.objects.get().last_day == today - timedelta(days=1)

    def test_never_goes_back(self) -> None:
        """Earlier days are refused."""
        look()

        with pytest.raises(LookOutOfOrder, match="found day 2026-11-01; needed 2026-11-02"):
            look(last_day=LAST - timedelta(days=1))

    def test_can_be_requested(self, capsys: pytest.CaptureFixture[str]) -> None:
        """By the command, of a day or until now."""
        play_baccarat(20)

        call_command("watch_tables", "--day", "2026-11-02")

        content = capsys.readouterr().out
        assert "1 days counted; 3 watches, 0 in alarm, 0 cases opened" in content
        assert Look.objects.get().last_day == LAST
        with pytest.raises(CommandError, match="needed 2026-11-02 or later"):
            call_command("watch_tables", "--day", "2026-11-01")


def test_concurrent_evaluations_open_one_case(fresh_casino: str) -> None:
    """The second waits and finds the alarm."""
    play_baccarat(ROUNDS, of=shoe_without("9"))
    count_days()

    def work(_number: int) -> None:
        try:
            watch_tables(last_day=LAST, at=NOW, actor=MONITOR)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(work, range(2)))

    assert Look.objects.count() == 2
    assert WatchAlarm.objects.filter(watch__what="cards").count() == 1
    assert Case.objects.count() == WatchAlarm.objects.count()
