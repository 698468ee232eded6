"""Benchmark figures are stored across runs."""

from benchmarks.figures import Figure, merge


class TestAPartialRun:
    def test_replaces_what_it_measured_and_keeps_the_rest(self) -> None:
        """`python -m benchmarks NAME` updates one figure in place; new ones are appended."""
        stored = [Figure("a", 1, "s"), Figure("b", 2, "s"), Figure("c", 3, "s")]

        merged = merge(stored, [Figure("d", 5, "s"), Figure("b", 4, "s")])

        assert merged == [
            Figure("a", 1, "s"),
            Figure("b", 4, "s"),
            Figure("c", 3, "s"),
            Figure("d", 5, "s"),
        ]
