"""`make bench COMPARE=REF`: what got slower."""

import subprocess

import pytest

from benchmarks.compare import compare, compare_values


class TestAFigure:
    @pytest.mark.parametrize(
        ("name", "here", "verdict"),
        [
            ("rules.blackjack.rounds_per_s", [8, 9, 7], "WORSE"),
            ("rules.blackjack.rounds_per_s", [13, 14, 15], "better"),
            ("rules.blackjack.rounds_per_s", [8, 10.5, 7], ""),
            ("latency.idle.p99_ms", [8, 9, 7], "better"),
            ("latency.idle.p99_ms", [13, 14, 15], "WORSE"),
            ("export.bundle.seconds", [13, 14, 15], "WORSE"),
            ("settle.mix.cpu_ratio_copy", [8, 9, 7], "WORSE"),
        ],
    )
    def test_differs_beyond_the_noise_of_both_sides(
        self, name: str, here: list[float], verdict: str
    ) -> None:
        """More of it, or less, is better, as its name says."""
        [row] = compare_values({name: [10, 11, 12]}, {name: here})

        assert row.verdict == verdict
        assert (row.gain > 1) is (verdict == "better")

    @pytest.mark.parametrize(
        "name", ["peer.blackjack.rounds_per_s", "trail.limit.hash_per_s", "rules.shared_round.bets"]
    )
    def test_of_something_else_is_left_out(self, name: str) -> None:
        """Peers, limits, and sizes of what was measured."""
        assert compare_values({name: [10]}, {name: [1]}) == []

    def test_that_one_side_does_not_have_is_left_out(self) -> None:
        """Another part was added."""
        assert compare_values({}, {"rules.blackjack.rounds_per_s": [1]}) == []


class TestAnotherVersion:
    def test_that_is_none_is_refused(self) -> None:
        """Before anything is measured."""
        with pytest.raises(SystemExit, match="found no-such-commit; needed a commit"):
            compare("no-such-commit", ["readers"])

    @pytest.mark.slow
    def test_is_measured_by_its_own_benchmarks(self, capfd: pytest.CaptureFixture[str]) -> None:
        """Which run in its files, and name the parts that they know."""
        with pytest.raises(subprocess.CalledProcessError):
            compare("HEAD", ["no-such-part"])

        assert "no-such-part is none of rules, readers" in capfd.readouterr().err
