"""Comparisons with the release: on record, on *Today*, by ``doctor`` and for Prometheus."""

from datetime import UTC, datetime
from typing import Final

import pytest
from django.core.management import CommandError, call_command
from prometheus_client import CollectorRegistry, generate_latest

from casino.operations.metrics.release_collector import ReleaseCollector
from casino.settings import CELERY_BEAT_SCHEDULE
from compliance.release import current_release
from compliance.release.record_state import verify_at_start
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.integrity.verify_release import ReleaseDiffers, verify_release
from tests.casino.operations.check_results import ERROR, OK, WARNING, found
from tests.compliance.release.conftest import release
from tests.compliance.release.small_release import SmallRelease

__all__ = ["release"]  # a fixture
_AT: Final = datetime(2026, 3, 1, 2, 47, tzinfo=UTC)


def recorded() -> list[tuple[str, str, int]]:
    """Action, actor and number of differences of each record, in their order."""
    records = AuditRecord.objects.filter(action__startswith="RELEASE_").order_by("id")
    return [(record.action, record.actor, record.details["count"]) for record in records]


def start() -> None:
    """Another process starts."""
    current_release._KEPT.state = None
    verify_at_start(Actor("start"))


def verify() -> None:
    """The nightly task."""
    verify_release(at=_AT, actor=Actor("night"))


@pytest.mark.django_db
class TestARecord:
    def test_is_written_once_for_many_starts(self, release: SmallRelease) -> None:
        """And once more for other differences."""
        start()
        start()
        release.write("toycasino/evil.py", b"")
        start()
        start()
        release.write("toycasino/more.py", b"")
        start()

        differs = [("RELEASE_DIFFERS", "start", 1), ("RELEASE_DIFFERS", "start", 2)]
        assert recorded() == [("RELEASE_VERIFIED", "start", 0), *differs]

    def test_is_written_every_night(self, release: SmallRelease) -> None:
        """A start, which compares less, does not end what was found at night."""
        verify()
        verify()
        release.write("evil.pth", b"")
        with pytest.raises(ReleaseDiffers, match=r"evil\.pth: found an additional file"):
            verify()
        start()

        night = ("RELEASE_VERIFIED", "night", 0)
        assert recorded() == [night, night, ("RELEASE_DIFFERS", "night", 1)]
        details = AuditRecord.objects.filter(action="RELEASE_DIFFERS").get().details
        assert details["version"] == "2.0"
        assert details["differences"] == [
            "evil.pth: found an additional file; needed none that is not listed"
        ]

    def test_is_written_for_another_release(self, release: SmallRelease) -> None:
        """That is installed after a difference."""
        release.write("toycasino/evil.py", b"")
        start()
        (release.root / "toycasino/evil.py").unlink()
        start()
        release.write("ledgerlib/more.py", b"")
        release.record("ledgerlib", {"ledgerlib/__init__.py": b"", "ledgerlib/more.py": b""})
        release.sign()
        start()

        assert [action for action, *_ in recorded()] == ["RELEASE_DIFFERS", "RELEASE_VERIFIED"]

    def test_is_not_written_in_a_clone(self) -> None:
        """Nothing was compared."""
        start()
        verify()

        assert recorded() == []


def test_a_worker_of_each_queue_compares_every_night() -> None:
    """Each kind of host, by beat."""
    entries = [
        entry for entry in CELERY_BEAT_SCHEDULE.values() if entry["task"] == "casino.verify_release"
    ]

    queues = {entry["options"]["queue"].removeprefix("sabot") for entry in entries}
    assert queues == {"", "-feed", "-exporter", "-web"}


class TestTheCommand:
    def test_names_each_difference(
        self, release: SmallRelease, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """And exits with 1."""
        call_command("verify_release")
        assert capsys.readouterr().out.startswith("the files of the release 2.0, list ")
        release.write("toycasino/evil.py", b"")

        with pytest.raises(CommandError, match="1 files or packages") as raised:
            call_command("verify_release")

        assert raised.value.returncode == 1
        assert "toycasino/evil.py: found an additional file" in capsys.readouterr().err

    def test_pretends_nothing_in_a_clone(self) -> None:
        """It exits with 2."""
        with pytest.raises(CommandError, match="not a release: nothing to compare") as raised:
            call_command("verify_release")

        assert raised.value.returncode == 2


class TestDoctor:
    def test_says_what_runs(self, release: SmallRelease) -> None:
        """The release, or the number of differences."""
        assert found("release") == (OK, "the files of the release 2.0")
        release.write("toycasino/evil.py", b"")

        assert found("release") == (ERROR, "1 differences")

    def test_warns_of_a_clone(self) -> None:
        """Which is no release."""
        assert found("release") == (WARNING, "not a release: nothing to compare")


class TestTheMetric:
    def test_is_the_number_of_differences(self, release: SmallRelease) -> None:
        """Of this host."""
        collector = ReleaseCollector()
        registry = CollectorRegistry()
        registry.register(collector)
        before = generate_latest(registry)
        release.write("toycasino/evil.py", b"")

        collector.compare()

        assert before == b""
        assert b"sabot_release_differences 1.0" in generate_latest(registry)
