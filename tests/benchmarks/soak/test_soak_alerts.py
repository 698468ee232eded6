"""The rules of an installation in shorter times, and which alerts a soak expects."""

import subprocess
from pathlib import Path

import pytest
import yaml

from benchmarks.soak.alerts import FACTOR, RULES, Fired, scaled_rules, unexpected
from benchmarks.soak.schedule import KINDS, Fault

BEGAN = 1_000_000.0
DOWN = Fault(KINDS["primary-down"], at=100, victim=0)
"""From 100 s to 145 s; SabotDatabaseUnreachable has to fire, SabotRoundsWait may."""


def fired(name: str, *, at: float, kind: str = "") -> Fired:
    """An alert that fires at this second of the soak, for ten seconds."""
    return Fired(name, kind, BEGAN + at, BEGAN + at + 10)


class TestTheRules:
    def test_wait_look_back_and_allow_less(self) -> None:
        """An hour becomes five minutes; a share and a latency stay as they are."""
        text = """
            groups:
              - name: one
                rules:
                  - {alert: A, expr: "x_age_seconds > 300", for: 1h}
                  - {alert: B, expr: "rate(x[5m]) / rate(y[5m]) > 0.01", for: 5m}
                  - {alert: C, expr: "x_age_seconds > 26 * 3600"}
        """

        [group] = scaled_rules(text, 12)["groups"]

        assert group["rules"] == [
            {"alert": "A", "expr": "x_age_seconds > (300) / 12", "for": "300000ms"},
            {"alert": "B", "expr": "rate(x[25000ms]) / rate(y[25000ms]) > 0.01", "for": "25000ms"},
            {"alert": "C", "expr": "x_age_seconds > (26 * 3600) / 12"},
        ]

    @pytest.mark.slow
    def test_hold_in_prometheus(self, tmp_path: Path) -> None:
        """Those of the file, by promtool."""
        file = tmp_path / "alerts.yml"
        file.write_text(yaml.safe_dump(scaled_rules(RULES.read_text(), FACTOR)))

        done = subprocess.run(["promtool", "check", "rules", file], check=False)  # noqa: S607  on the path

        assert done.returncode == 0


class TestAlerts:
    def test_that_fire_for_their_fault_are_expected(self) -> None:
        """Those that must, those that may, and a little later as well."""
        alerts = [fired("SabotDatabaseUnreachable", at=112), fired("SabotRoundsWait", at=160)]

        assert unexpected(alerts, [DOWN], began=BEGAN, ended=BEGAN + 900) == ([], [])

    def test_that_must_fire_are_missed(self) -> None:
        """Also if they fire, but at another time."""
        alerts = [fired("SabotDatabaseUnreachable", at=50)]

        missing, groundless = unexpected(alerts, [DOWN], began=BEGAN, ended=BEGAN + 900)

        assert missing == ["SabotDatabaseUnreachable did not fire for primary-down at 100 s"]
        assert groundless == ["SabotDatabaseUnreachable fired at 50 s"]

    def test_of_no_fault_are_groundless(self) -> None:
        """Here of other books, and of a failing task."""
        alerts = [
            fired("SabotDatabaseUnreachable", at=112),
            fired("SabotBooksDiffer", at=120),
            fired("SabotExceptionsWait", at=600, kind="task"),
        ]

        _missing, groundless = unexpected(alerts, [DOWN], began=BEGAN, ended=BEGAN + 900)

        assert groundless == [
            "SabotBooksDiffer fired at 120 s",
            "SabotExceptionsWait task fired at 600 s",
        ]

    def test_of_documents_that_nobody_resolves_are_expected(self) -> None:
        """The feeds have invalid and conflicting ones."""
        alerts = [fired("SabotExceptionsWait", at=50, kind="document")]

        assert unexpected(alerts, [], began=BEGAN, ended=BEGAN + 900) == ([], [])

    @pytest.mark.parametrize(("seconds", "number"), [(300, 0), (900, 1)])
    def test_of_what_lasts_must_fire_in_a_soak_that_is_long_enough(
        self, seconds: int, number: int
    ) -> None:
        """The rule about expiring keys waits an hour, so five minutes."""
        key = Fault(KINDS["expiring-key"], at=60, victim=0)

        missing, _groundless = unexpected([], [key], began=BEGAN, ended=BEGAN + seconds)

        assert len(missing) == number

    def test_of_what_lasts_wait_anew_after_a_break(self) -> None:
        """The primary is down from 100 s to 145 s: from 60 s to 100 s and from 175 s on."""
        key = Fault(KINDS["expiring-key"], at=60, victim=0)
        database = fired("SabotDatabaseUnreachable", at=112)

        numbers = [
            len(unexpected([database], [key, DOWN], began=BEGAN, ended=BEGAN + ended)[0])
            for ended in (500, 510)
        ]

        assert numbers == [0, 1]

    def test_of_one_name_differ_by_their_label(self) -> None:
        """The certificate's alert is not the key's."""
        key = Fault(KINDS["expiring-key"], at=60, victim=0)
        other = fired("SabotExpiresSoon", at=400, kind="export_certificate")

        missing, groundless = unexpected([other], [key], began=BEGAN, ended=BEGAN + 900)

        assert missing == ["SabotExpiresSoon did not fire for expiring-key at 60 s"]
        assert groundless == ["SabotExpiresSoon export_certificate fired at 400 s"]

    def test_of_a_failed_task_may_come_late(self) -> None:
        """It is listed for five minutes after its recovery."""
        late = fired("SabotExceptionsWait", at=145 + 380, kind="task")
        database = fired("SabotDatabaseUnreachable", at=112)

        assert unexpected([database, late], [DOWN], began=BEGAN, ended=BEGAN + 900) == ([], [])
