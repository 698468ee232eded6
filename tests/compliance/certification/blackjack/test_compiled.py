"""Compiled code is never older than any of its sources."""

from pathlib import Path

from compliance.certification.returns.blackjack.jit_compiler import folder_of


class TestWhereCompiledCodeIsKept:
    def test_is_another_place_after_a_change_of_any_source(self, tmp_path: Path) -> None:
        """Compiled functions contain code of other files."""
        caller, called = tmp_path / "caller.py", tmp_path / "called.py"
        caller.write_text("calls")
        called.write_text("adds")
        before = folder_of([caller, called])

        called.write_text("subtracts")

        assert folder_of([caller, called]) != before
