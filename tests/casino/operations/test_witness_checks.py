"""What operators see of the log's witnesses: doctor, metrics, notifications."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from casino.notifications.conditions import CONDITIONS
from casino.notifications.conditions.condition import Snapshot
from compliance.trail.witnesses.ask_witnesses import ask_witnesses
from tests.casino.operations.check_results import ERROR, OK, WARNING, found
from tests.casino.operations.metric_samples import facts_now
from tests.compliance.trail.logs import append, write
from tests.compliance.trail.witnesses.running_witness import (
    RunningWitness,
    obey,
    running_witnesses,
)

pytestmark = pytest.mark.usefixtures("fresh_casino")


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[RunningWitness]]:
    """Two witnesses that have to cosign, and a log that was signed twenty minutes ago."""
    with running_witnesses(tmp_path, "one", "two") as witnesses:
        obey(witnesses)
        write(5)
        append(at=timezone.now() - timedelta(minutes=20))
        yield witnesses


def alarms() -> list[str]:
    """What is told to people about the witnesses."""
    look = Snapshot(timezone.now())
    return [it.key for follow in CONDITIONS.values() for it in follow(look) if "witness" in it.key]


class TestWitnesses:
    def test_that_do_not_cosign_are_an_error(self, two: list[RunningWitness]) -> None:
        """Everywhere, until they do."""
        assert found("witnesses") == (
            ERROR,
            "one.example/witness, two.example/witness behind",
        )
        assert 1_200 <= facts_now()["sabot_audit_oldest_uncosigned_age_seconds"] < 1_800
        assert alarms() == ["witnesses"]

        ask_witnesses()

        assert found("witnesses") == (OK, "2 that cosign")
        assert facts_now()["sabot_audit_oldest_uncosigned_age_seconds"] == 0
        assert alarms() == []

    def test_of_which_enough_cosign_are_a_warning(self, two: list[RunningWitness]) -> None:
        """One is behind; the other one suffices for the quorum."""
        two[1].end()
        obey(two, "any")
        ask_witnesses()

        assert found("witnesses") == (WARNING, "two.example/witness behind")
        samples = facts_now()
        assert samples["sabot_audit_witness_behind_seconds witness=one.example/witness"] == 0
        assert samples["sabot_audit_witness_behind_seconds witness=two.example/witness"] > 600
        assert alarms() == []

    def test_with_a_quorum_that_two_histories_can_have(self, two: list[RunningWitness]) -> None:
        """Each by one witness."""
        obey(two, "any")
        ask_witnesses()

        assert found("witnesses") == (WARNING, "a quorum that two histories can have")

    def test_that_nobody_names_are_not_missed(self) -> None:
        """There are none by default."""
        assert found("witnesses") == (OK, "none")
