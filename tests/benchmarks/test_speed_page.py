"""The page about speed shows what was measured, and nothing else."""

import re
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from benchmarks.figures import Figure
from benchmarks.settlement.stages import REST, sample_stages
from benchmarks.speed_page import _shown_names, write_speed_page
from rounds.simulation.casino import Order, simulate


@pytest.fixture
def figures() -> list[Figure]:
    """A figure for each name, all different."""
    return [Figure(name, 1 + number / 8, "") for number, name in enumerate(sorted(_shown_names()))]


class TestThePage:
    def test_has_the_figures_and_charts(self, figures: list[Figure], tmp_path: Path) -> None:
        """No name is left where a value belongs; every picture is there."""
        assert write_speed_page(figures, folder=tmp_path)

        page = (tmp_path / "administrator/speed.md").read_text()
        pictures = re.findall(r"\.\./images/([\w-]+\.svg)", page)
        assert "{" not in page
        assert sorted(pictures) == sorted(path.name for path in (tmp_path / "images").iterdir())

    def test_stays_as_it_is_while_a_figure_was_never_measured(
        self, figures: list[Figure], tmp_path: Path
    ) -> None:
        """A run of some parts in a new clone."""
        assert not write_speed_page(figures[:-1], folder=tmp_path)
        assert list(tmp_path.iterdir()) == []


class TestStages:
    @pytest.fixture
    def samples(self) -> Counter[str]:
        """Of what the test does."""
        counted: Counter[str] = Counter()
        sample_stages(counted)
        return counted

    @pytest.fixture(autouse=True)
    def _stop(self) -> Iterator[None]:
        yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def test_are_counted_by_processor_time(self, samples: Counter[str]) -> None:
        """This module has none, so that a loop in it is the rest."""
        began = process_time()
        while process_time() - began < 0.2:
            pass

        assert set(samples) == {REST}
        assert samples[REST] > 10

    def test_are_those_of_the_innermost_module_that_has_one(self, samples: Counter[str]) -> None:
        """The simulator plays by the rules."""
        for _ in simulate(
            Order(games=["blackjack"], rounds=1_000, seed="1", start=1_790_000_000_000)
        ):
            pass

        assert samples["judge"] > 0
