"""The bonus grid of a Mega Fire Blaze round on its page."""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from django.test import Client
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from rounds.layouts.bonus import Spin, lay_grid, lay_ladder
from rounds.rules.blackjack.games.mega_fire_blaze import FIRE_BLAZE
from rounds.rules.facts import Bonus
from tests.casino.backoffice.conftest import page_of, person
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.site.browser_tabs import log_in, open_tab
from tests.casino_in_play import ingest, open_table, settle

_GOLDEN: Final = Path(__file__).parents[3] / "golden" / "mega-fire-blaze.ndjson"
TIMES: Final = "\N{MULTIPLICATION SIGN}"
_MFB: Final = "mega-fire-blaze-blackjack/1"

_GRAND: Final = "mfb-3-20261113-003045"

# Every place of a Minor: 2 + 1 + 1 + 2 + 2 + 2 = 10, boosted to 20.
FULL_MINOR: Final = Bonus(
    "minor",
    (((1, "2"), (2, "1")), (), ((3, "1"), (4, "2"), (5, "2"), (6, "2"))),
    (("1", "boost", "2"),),
    "20",
)


class TestTheGrid:
    def test_has_the_spin_of_each_cell(self) -> None:
        """Two cells at the first spin, four at the third."""
        grid = lay_grid(FIRE_BLAZE, FULL_MINOR)

        [section] = grid.sections
        assert [cell.value for cell in section.cells] == ["2", "1", "1", "2", "2", "2"]
        assert [cell.spin for cell in section.cells] == [1, 1, 3, 3, 3, 3]
        assert (section.filled, section.full_at, grid.filled, grid.places) == (6, 3, 6, 6)

    def test_counts_the_remaining_spins(self) -> None:
        """A new cell resets them to three; the bonus ends at zero."""
        played = Bonus("mini", ((), ((4, "5"),), (), (), ()), (), "5")

        spins = lay_grid(FIRE_BLAZE, played).spins

        assert [spin.left for spin in spins] == [2, 3, 2, 1, 0]
        assert spins[2] == Spin(3, (), 2)
        assert spins[2].lives == [True, True, False]

    def test_adds_up_to_the_multiplier(self) -> None:
        """The section's ten, and ten for the doubling boost."""
        grid = lay_grid(FIRE_BLAZE, FULL_MINOR)

        assert [term.value for term in grid.terms] == [10, 10]
        assert (grid.total, grid.is_limited, grid.is_right) == (20, False, True)

    def test_is_limited_by_the_level(self) -> None:
        """The sum is 540; a Major pays at most 400."""
        tens = tuple((place, "10") for place in range(1, 19))
        boosts = tuple((str(section), "boost", "3") for section in (1, 2, 3))

        grid = lay_grid(FIRE_BLAZE, Bonus("major", (tens,), boosts, "400"))

        assert (grid.total, grid.is_limited, grid.is_right) == (540, True, True)

    @pytest.mark.parametrize(
        ("spins", "beyond"),
        [
            ((((7, "1"),), (), (), ()), ((1, 7, "1"),)),
            ((((1, "1"),), ((1, "2"),), (), (), ()), ((2, 1, "2"),)),
        ],
    )
    def test_shows_invalid_cells_without_a_sum(
        self,
        spins: tuple[tuple[tuple[int, str], ...], ...],
        beyond: tuple[tuple[int, int, str], ...],
    ) -> None:
        """Cells outside of the level, or filled twice."""
        grid = lay_grid(FIRE_BLAZE, Bonus("minor", spins, (), "2"))

        assert grid.beyond == beyond
        assert (grid.is_right, grid.terms) == (False, ())


class TestTheLadder:
    def test_goes_down_from_the_greatest_level(self) -> None:
        """Sixteen points reach Major and the levels below."""
        ladder = lay_ladder(FIRE_BLAZE, points=16, played="major")

        assert [rung.name for rung in ladder] == ["mega", "grand", "major", "mini", "minor"]
        assert [rung.is_reached for rung in ladder] == [False, False, True, True, True]
        assert [rung.is_played for rung in ladder] == [False, False, True, False, False]

    def test_of_a_held_round_has_no_points(self) -> None:
        """No level is reached."""
        ladder = lay_ladder(FIRE_BLAZE, points=None, played="mini")

        assert not any(rung.is_reached for rung in ladder)


def page_with_bonus(browser: Client, reference: str) -> str:
    """The page of a round of the recorded feed."""
    line = next(line for line in _GOLDEN.read_bytes().splitlines() if reference.encode() in line)
    open_table(json.loads(line)["table"], _MFB)
    ingest([line])
    settle()
    return page_html(browser.get(page_of(reference)))


@pytest.mark.slow
def test_spins_can_be_replayed(fresh_casino: str) -> None:
    """In Chromium: after the first of 23 spins three cells are filled."""
    person("supervisor")
    page_with_bonus(Client(), _GRAND)
    address = page_of(_GRAND)
    server = LiveServer("127.0.0.1")
    with sync_playwright() as playwright, open_tab(playwright, server.url) as tab:
        log_in(tab, server.url)
        tab.goto(server.url + address)
        full = tab.locator(".grid-section.is-full")
        assert full.count() == 4

        tab.click("[data-show-spin='1']")
        assert tab.locator(".grid-cell.is-now").count() == 3
        assert tab.locator(".grid-cell.is-later").count() == 21
        assert full.count() == 0

        tab.click("[data-show-spin='1']")
        assert full.count() == 4
    server.stop()


class TestThePage:
    def test_draws_the_grid_of_a_bonus(self, supervisor: Client) -> None:
        """A Grand of 24 cells in 23 spins with a multiplier of 202."""
        page = page_with_bonus(supervisor, _GRAND)

        assert "23 spins, 24 of 24 places filled" in page
        assert len(re.findall(r'<li class="grid-cell" data-spin', page)) == 24
        assert page.count("data-show-spin=") == 23
        assert re.findall(r"<small>([^<]+)</small><b>(\d+)</b>", page) == [
            ("Section 1", "29"),
            ("Section 2", "20"),
            (f"Boost {TIMES}2", "20"),
            ("Section 3", "19"),
            ("Section 4", "38"),
            (f"Boost {TIMES}3", "76"),
        ]
        assert f"The studio announced the same multiplier, {TIMES}202." in page

    def test_marks_an_impossible_grid(self, supervisor: Client) -> None:
        """A Mini of one cell pays 1; the least is 3."""
        page = page_with_bonus(supervisor, "mfb-x16-20261116-132811")

        assert "This grid is not possible at this level" in page
        assert "grid-sum" not in page

    def test_knows_no_bonus_at_other_games(self, supervisor: Client) -> None:
        """Rounds of other games have no grid."""
        line = next(
            line
            for line in _GOLDEN.read_bytes().splitlines()
            if b'"round/1"' in line and b'"bonus"' not in line
        )
        output = json.loads(line)
        open_table(output["table"], _MFB)
        ingest([line])

        assert "data-grid" not in page_html(supervisor.get(page_of(output["round"])))
