"""The faults of a soak follow from its seed, come one after the other, and are all played."""

from itertools import pairwise

import pytest

from benchmarks.soak.faults import ACTIONS
from benchmarks.soak.schedule import ALWAYS, KINDS, deal_faults
from tests.deploy.test_prometheus import rules

AN_HOUR = 3_600.0


class TestTheFaultsOfASoak:
    def test_follow_from_its_seed(self) -> None:
        """The same seed deals the same faults, another one others."""
        first, second, other = (deal_faults(seed=seed, seconds=AN_HOUR) for seed in (1, 1, 2))

        assert first == second
        assert [fault.kind.name for fault in first] != [fault.kind.name for fault in other]

    @pytest.mark.parametrize("seed", [1, 2, 3, 20261126])
    def test_of_an_hour_have_every_kind(self, seed: int) -> None:
        """Each begins after the end of the one before, and ends before the soak does."""
        faults = deal_faults(seed=seed, seconds=AN_HOUR)

        assert {fault.kind.name for fault in faults} == set(KINDS)
        assert all(before.until < after.at for before, after in pairwise(faults))
        assert faults[-1].until < AN_HOUR

    def test_that_last_come_first_and_once(self) -> None:
        """Alerts of what expires wait longest."""
        names = [fault.kind.name for fault in deal_faults(seed=5, seconds=3 * AN_HOUR)]

        lasting = {"expiring-key", "certificate-expired"}
        assert set(names[:2]) == lasting
        assert lasting.isdisjoint(names[2:])

    def test_leave_out_what_a_machine_cannot_play(self) -> None:
        """Only root mounts disks that can be filled."""
        faults = deal_faults(seed=1, seconds=AN_HOUR, without=["wal-full"])

        assert "wal-full" not in {fault.kind.name for fault in faults}

    def test_of_a_minute_are_those_that_fit(self) -> None:
        """None is cut short."""
        faults = deal_faults(seed=1, seconds=60, only=["web-killed", "primary-down"])

        assert {fault.kind.name for fault in faults} <= {"web-killed", "primary-down"}
        assert all(fault.until <= 60 for fault in faults)


class TestTheKinds:
    def test_can_all_be_played(self) -> None:
        """Each has its actions, and none is without a kind."""
        assert set(ACTIONS) == set(KINDS)

    def test_name_alerts_that_exist(self) -> None:
        """By the file of the rules."""
        named = {name for kind in KINDS.values() for name in (*kind.must, *kind.may)}

        assert named | set(ALWAYS) <= set(rules())
