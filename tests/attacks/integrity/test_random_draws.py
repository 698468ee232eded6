"""Somebody who sets everything that can be set tries to keep rounds from being drawn.

By the role of the workers, the environment of a host, and rows that look like results.
"""

import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta

import psycopg
import pytest
from django.db import transaction
from django.utils import timezone

from casino.embedded.server_paths import CLONE
from compliance.storage.database_roles.role import DatabaseRole
from compliance.storage.random_rows import random_key
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entries
from payouts.integrity.stop_settlement import open_stops
from payouts.recheck.count_verified import count_verified, recheck_figures
from payouts.recheck.models import RecheckHour
from payouts.recheck.recheck_share import recheck_share
from payouts.recheck.verify_share import Findings
from rounds.models import Round
from tests.attacks.integrity.planted import PLANTED, verify_share
from tests.casino_in_play import NOW, settle
from tests.databases import connected_as, url_as
from tests.payouts.settlement.resettlement_scenarios import GIULIA


def _as_worker(casino: str, *statements: str) -> None:
    """In a session of its own, each statement alone: some are refused, which is right as well."""
    with psycopg.connect(url_as(DatabaseRole.WORKER, casino), autocommit=True) as session:
        for statement in statements:
            with suppress(psycopg.Error):
                session.execute(statement)


class TestTheRoleOfTheWorkers:
    def test_keeps_no_round_from_being_drawn(self, small_casino: str) -> None:
        """Whatever it writes: results of the share, sequences, seeds, tables that shadow others."""
        PLANTED["card"].plant()

        _as_worker(
            small_casino,
            "INSERT INTO payouts_recheckhour VALUES"
            " (now(), 1000000, 1000000, 1000000, 1000000, 1, 1, now() + interval '1 year')",
            "UPDATE payouts_recheckhour SET random_rounds = 1000000000",
            "SELECT setseed(0.5)",
            "SELECT nextval('rounds_arrival') FROM generate_series(1, 10000)",
            "CREATE TABLE public.rounds_round_copy (id uuid)",
            "CREATE TEMP TABLE rounds_round (id uuid)",
            "CREATE SCHEMA mine",
            "ALTER TABLE rounds_round ENABLE ROW LEVEL SECURITY",
            "ALTER ROLE CURRENT_USER SET search_path = pg_temp, public",
            "DELETE FROM rounds_roundname",
        )
        verify_share()

        findings = [finding for stop in open_stops() for finding in stop.findings]
        assert [finding for finding in findings if PLANTED["card"].found in finding] != []

    def test_may_verify_everything(self, small_casino: str) -> None:
        """And finds nothing where nothing was changed."""
        with connected_as(DatabaseRole.WORKER, small_casino):
            verify_share()

            assert open_stops() == []
        assert RecheckHour.objects.get().decisions > 0

    def test_stops_settlement(self, small_casino: str) -> None:
        """At what it finds."""
        PLANTED["payout"].plant()

        with connected_as(DatabaseRole.WORKER, small_casino):
            verify_share()

        assert {stop.kind for stop in open_stops()} == {"recheck"}

    def test_removes_no_hour(self, small_casino: str) -> None:
        """What was verified stays counted."""
        verify_share()

        _as_worker(small_casino, "DELETE FROM payouts_recheckhour", "TRUNCATE payouts_recheckhour")

        assert RecheckHour.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "value", "most"),
    [
        ("RECHECK_PERCENT", "0", 50),
        ("RECHECK_PERCENT", "-1", 50),
        ("RECHECK_PERCENT", "51", 50),
        ("RECHECK_HOURS", "0", 48),
        ("RECHECK_HOURS", "49", 48),
    ],
)
def test_no_setting_turns_it_off(name: str, value: str, most: int) -> None:
    """Sabot does not start, and says what it needs."""
    started = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"],
        cwd=CLONE,
        env={**os.environ, name: value, "DJANGO_SETTINGS_MODULE": "casino.settings"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert started.returncode != 0
    assert f"{name}: found {value}; needed a number from 1 to {most}" in started.stderr


class TestARandomRow:
    def test_is_any_of_all_months(self, fresh_casino: str) -> None:
        """And of the rows outside of all months; no row is left out."""
        days = (0, 40, 365, 9_000)
        for day in days:
            entries = [Entry("TESTED", f"test:{day}", {"number": number}) for number in range(5)]
            record_entries(entries, at=NOW - timedelta(days=day), actor=GIULIA)
        stored = set(AuditRecord.objects.values_list("id", flat=True))

        drawn = Counter(random_key(AuditRecord, "id") for _ in range(600))

        assert set(drawn) == stored
        assert max(drawn.values()) < 20 * min(drawn.values())

    def test_of_an_empty_table_is_none(self, fresh_casino: str) -> None:
        """Nothing is drawn, and nothing waits for ever."""
        assert random_key(Round, "id") is None

    def test_is_found_behind_blocks_without_rows(self, fresh_casino: str) -> None:
        """Somebody fills the table and takes it back."""
        record_entries([Entry("TESTED", "test:1", {})], at=NOW, actor=GIULIA)
        with transaction.atomic():
            many = [Entry("TESTED", f"test:{number}", {"x": "x" * 500}) for number in range(200)]
            record_entries(many, at=NOW, actor=GIULIA)
            transaction.set_rollback(True)
        drawn = [random_key(AuditRecord, "id") for _ in range(50)]

        assert len([key for key in drawn if key is not None]) > 45


class TestATurn:
    @pytest.mark.parametrize(("waits", "steps"), [(True, 1), (False, 4)])
    def test_ends_after_one_step_while_rounds_wait(
        self, small_casino: str, waits: bool, steps: int
    ) -> None:
        """Settlement goes first; but nobody ends the share by keeping rounds waiting."""
        if not waits:
            settle()
        taken: list[datetime] = []

        def step(at: datetime, _recent: timedelta) -> Findings:
            taken.append(at)
            return Findings(Counter(random_rounds=10), pass_seconds=float(len(taken)))

        recheck_share(
            now=lambda: NOW, seconds=60, recent=timedelta(hours=6), steps=iter([step] * 4)
        )

        assert len(taken) == steps
        counted = RecheckHour.objects.get()
        assert (counted.random_rounds, counted.longest_pass_seconds) == (10 * steps, steps)


class TestTheFigures:
    def test_say_within_what_time_a_change_is_found(self, small_casino: str) -> None:
        """In two hours of work two rounds were drawn; three are stored. A pass took half a minute.

        That workers began six hours ago, and paused, is no matter.
        """
        now = timezone.now()
        RecheckHour.objects.create(
            hour=now - timedelta(hours=6),
            recent_rounds=100,
            random_rounds=2,
            records=0,
            decisions=0,
            seconds=360.0,
            run_seconds=7200.0,
            longest_pass_seconds=30.0,
            last_at=now - timedelta(seconds=9),
        )

        figures = recheck_figures(at=now)

        assert figures.stored_rounds == 3
        assert figures.mean_seconds == 3 * 7200 / 2
        assert figures.recent_seconds == 2 * 30
        assert round(figures.worker_percent, 6) == 5
        assert figures.age_seconds(now) == 9

    def test_count_the_time_in_which_workers_ran(self, fresh_casino: str) -> None:
        """Turns of a second: three in twenty seconds, and two after a pause of five hours."""
        seconds = [0, 10, 20, 18_020, 18_030]
        begun = NOW.replace(minute=30, second=0, microsecond=0)
        for second in seconds:
            at = begun + timedelta(seconds=second)
            count_verified(Findings(Counter(random_rounds=1)), at=at, seconds=1.0)

        hours = RecheckHour.objects.order_by("hour").values_list("run_seconds", flat=True)
        assert list(hours) == [1 + 20, 1 + 10]

    def test_are_unknown_before_the_first_turn(self, small_casino: str) -> None:
        """No time is promised."""
        figures = recheck_figures(at=NOW)

        assert (figures.mean_seconds, figures.recent_seconds, figures.last_at) == (None, None, None)
        assert figures.age_seconds(NOW) > 10**9
