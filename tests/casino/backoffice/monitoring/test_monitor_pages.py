"""The pages of the monitor.

Player wins every round of ``dealt``: 10.00 on Player pays 20.00, 10.00 on Banker nothing.
"""

import re
from math import log

import pytest
from django.test import Client

from casino.backoffice.monitoring.table_page import occurrences_of
from casino.backoffice.templatetags.sabot_monitoring import evidence
from compliance.monitoring.models import DailyOccurrence
from compliance.monitoring.queries import Frequency
from payouts.cases.models import Case
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.monitoring.watched_tables import (
    MINUTE,
    MONITOR,
    address_of,
    looked,
    played,
)
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import open_table
from tests.compliance.monitoring.dealt_rounds import FIRST, simulated
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, settle_at
from tests.payouts.settlement.resettlement_scenarios import void

MANY = 400


@pytest.fixture
def auditor(fresh_casino: str) -> Client:
    """A browser of an auditor; there is a table."""
    open_table()
    return reader(person("auditor"))


class TestTheMonitor:
    def test_says_that_nothing_was_evaluated(self, auditor: Client) -> None:
        """And how to start."""
        assert "No evaluation yet" in plain(auditor, MONITOR)

    def test_shows_the_return_of_each_bet(self, auditor: Client) -> None:
        """Player returns 200 %, Banker 0 %."""
        played(2)
        looked()

        words = plain(auditor, MONITOR)

        assert "bac-1 200.00 %" in words
        assert "0.00 %" in words
        assert "Alarm 0" in words

    def test_counts_each_round_once(self, auditor: Client) -> None:
        """Whether a rule set has one table or two."""
        played(2)
        looked()
        words_of_one = plain(auditor, MONITOR)
        open_table("bac-2")
        arrive(*(dealt(f"other-{n}", NOON + n * MINUTE, table="bac-2") for n in range(3)))
        settle_at()
        looked()

        words = plain(auditor, MONITOR)

        assert "Rounds since the start 2" in words_of_one
        assert "Rounds since the start 5" in words

    def test_leaves_out_what_lies_before_its_window(self, auditor: Client) -> None:
        """Rounds of ten days ago count in 30 days, not in 7."""
        played(2)
        played(3, days_ago=10)
        looked()

        assert "· 2" in plain(auditor, f"{MONITOR}?window=7")
        assert "· 5" not in plain(auditor, f"{MONITOR}?window=7")
        assert "· 5" in plain(auditor, f"{MONITOR}?window=30")

    def test_draws_limits_only_where_bets_have_some(self, auditor: Client) -> None:
        """Main bets depend on the players' strategy and have an error only."""
        simulated("blackjack", rounds=20)
        looked(FIRST.date())

        page = auditor.get(MONITOR).content.decode()

        cells = [part.partition("</a>")[0] for part in page.split('class="watch ')[1:]]
        assert {"<svg" in cell for cell in cells if "±" in cell} == {False}
        assert {"<svg" in cell for cell in cells if "\N{GREEK SMALL LETTER SIGMA}" in cell} == {
            True
        }

    def test_names_an_alarm_and_its_case(self, auditor: Client) -> None:
        """400 wins of Player in a row raise one."""
        played(MANY)
        looked()

        page = auditor.get(MONITOR).content.decode()
        words = plain(auditor, MONITOR)

        case = Case.objects.earliest("pk")
        assert f'href="/admin/cases/{case.pk}/"' in page
        assert "Player , bac-1" in words.replace("Player,", "Player ,")
        assert "against the house. Evidence over 1,000,000 from 400 rounds." in words


class TestAWatch:
    def test_is_shown_with_the_certified_return(self, auditor: Client) -> None:
        """98.7649 % for Player (Wizard of Odds, eight decks)."""
        played(2)
        looked()

        words = plain(auditor, address_of("player"))

        assert "Return 200.000 %" in words
        assert "Certified 98.7649 %" in words
        assert "from 2 rounds" in words
        assert "7 days 2 2 20.00 40.00 200.000 %" in words

    def test_has_a_control_chart_and_one_of_evidence(self, auditor: Client) -> None:
        """Each day shows its figures on hover."""
        played(2)
        played(3, days_ago=10)
        looked()

        page = auditor.get(address_of("player")).content.decode()

        assert page.count('class="hover-area"') == 2
        assert "31 Oct 2026 · 200.00" in page.replace("\N{NO-BREAK SPACE}", " ")
        assert page.count('class="cumulative"') == 2

    def test_of_cards_has_evidence_and_no_return(self, auditor: Client) -> None:
        """Cards are not a bet."""
        played(2)
        looked()

        words = plain(auditor, address_of("", "cards"))

        assert "Evidence" in words
        assert "Periods" not in words

    def test_that_is_unknown_is_not_found(self, auditor: Client) -> None:
        """404."""
        assert auditor.get(f"{MONITOR}watches/7/").status_code == 404


def test_bars_are_drawn_in_proportion_to_the_longest() -> None:
    """Of multiplier cards: 30 where 60 were expected, and none where no chance is known."""
    kind = DailyOccurrence.Of.MULTIPLIER_CARD
    cards = [Frequency(kind, "5", 30, 30, 60.0), Frequency(kind, "10", 0, 30, None)]

    [drawn] = occurrences_of(cards, ())
    [never_drawn] = occurrences_of(cards[1:], ())

    assert [(bar.width, bar.expected_width) for bar in drawn.all] == [(50, 100), (0, 0)]
    assert [(bar.width, bar.expected_width) for bar in never_drawn.all] == [(0, 0)]


class TestWhatWasDealt:
    def test_is_counted_card_by_card(self, auditor: Client) -> None:
        """With the void rounds of the table."""
        played(2)
        looked()

        words = plain(auditor, f"{MONITOR}dealt/baccarat/1/?table=bac-1")

        assert "Cards dealt 2 rounds" in words
        assert "bac-1 2 0 0.000 %" in words
        assert "Not enough cards for a chi-square test: at least 260 cards" in words

    def test_shows_what_void_rounds_would_have_paid(self, auditor: Client) -> None:
        """Two of five are void: one would have paid 25.00 for 22.00, one lacks its last card."""
        played(4)
        cards = [["P", "4S"], ["B", "7H"], ["P", "5D"]]
        arrive(dealt("r-5", NOON + 4 * MINUTE, cards=cards, incident="malfunction"))
        settle_at()
        void("r-0-3", after=1, at=NOON)
        looked()

        address = f"{MONITOR}dealt/baccarat/1/?table=bac-1"
        bar = auditor.get(address).content.decode().partition('class="void-split">')[2]

        assert "bac-1 3 2 40.000 % 1 0 1 3.00" in plain(auditor, address)
        assert re.findall(r'size="([\d.]+)%"', bar) == ["100.0", "0.0"]

    def test_is_tested_by_chi_square(self, auditor: Client) -> None:
        """Rounds of the same four cards are not shuffled."""
        played(MANY)
        looked()

        words = plain(auditor, f"{MONITOR}dealt/baccarat/1/?table=bac-1")

        assert "on 51 degrees of freedom. under 0.01 % of shuffled shoes" in words

    def test_of_an_unknown_rule_set_or_table_is_not_found(self, auditor: Client) -> None:
        """404."""
        for address in ("dealt/poker/1/", "dealt/baccarat/1/?table=bac-7"):
            assert auditor.get(f"{MONITOR}{address}").status_code == 404

    def test_is_stated_before_anything_was_counted(self, auditor: Client) -> None:
        """The page has a text instead."""
        words = plain(auditor, f"{MONITOR}dealt/baccarat/1/")

        assert "No cards in this period." in words
        assert "No rounds in this period." in words


@pytest.mark.parametrize(
    ("factor", "shown"), [(0.314, "0.31"), (1, "1.0"), (4.23, "4.2"), (1250.4, "1,250")]
)
def test_evidence_has_digits_by_its_size(factor: float, shown: str) -> None:
    """Two behind the point below one, none of a large factor."""
    assert evidence(log(factor)) == shown


class TestTheListOfWatches:
    def test_is_filtered_ordered_and_downloaded(self, auditor: Client) -> None:
        """Player returns twice the stake; the rule set's own watch has no table."""
        played(2)
        looked()
        query = {"what": "return", "table": "bac-1", "columns": ["watch", "return", "rounds"]}

        words = plain(auditor, f"{MONITOR}watches/?what=return&table=bac-1&sort=-rounds")
        answer = auditor.get(f"{MONITOR}watches/", {**query, "format": "csv"})
        rows = answer.content.decode("utf-8-sig").splitlines()

        assert "Player bac-1 baccarat/1 200.00 %" in words
        assert "All tables baccarat/1" not in words
        assert rows[0] == "Watch,Return,Rounds"
        assert "Player,2.000000,2" in rows

    def test_has_only_alarms_if_requested(self, auditor: Client) -> None:
        """None of two rounds."""
        played(2)
        looked()

        assert "No matching entries" in plain(auditor, f"{MONITOR}watches/?alarm=yes")
        assert "No matching entries" not in plain(auditor, f"{MONITOR}watches/?sort=table")
