"""Benchmark figures are stored across runs."""

from benchmarks.figures import Figure, merge, without_stale


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


class TestAWholeRun:
    def test_forgets_only_what_its_own_parts_no_longer_have(self) -> None:
        """Figures of parts that are measured apart stay."""
        kept = [Figure("rules.a", 1, "s"), Figure("rules.old", 2, "s"), Figure("pages.b", 3, "s")]

        assert without_stale(kept, kept[:1]) == [kept[0], kept[2]]
