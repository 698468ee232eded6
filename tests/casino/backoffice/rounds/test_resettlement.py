"""Rounds settled again by two persons, on their page and on the accounts."""

import re
from html import unescape

import pytest
from django.test import Client

from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.ledger.wallet import hand_over
from tests.payouts.settlement.resettlement_scenarios import REASON, resettle, void


def texts(page: str, element: str) -> list[str]:
    """The text of the elements of a class."""
    elements = re.findall(rf'<(\w+) class="{element}"[^>]*>(.*?)</\1>', page, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", inner)).split()) for _, inner in elements]


@pytest.fixture
def voided(supervisor: Client) -> str:
    """The page of a voided round that paid 25.00; p-1 was paid over 20.00 of it."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    hand_over(cents=2000)
    void(after=1)
    return page_html(supervisor.get(page_of("r-1")))


class TestARoundVoidByDecision:
    def test_names_decider_approver_and_reason(self, voided: str) -> None:
        """As recorded in the settlement."""
        [alert] = texts(voided, "alert alert-slate")

        assert alert.startswith(
            "Void: all stakes were refunded Voided by decision of Giulia Marchetti, approved by"
            " Lorenzo Ferri on "
        )
        assert alert.endswith(REASON)
        assert "The studio declared" not in voided

    def test_explains_each_bet_by_the_decision(self, voided: str) -> None:
        """10.00, 2.00 and 10.00 are returned; the decision cites no rule."""
        steps = texts(voided, "is-decision")
        returned = re.findall(r'class="num amount-added">\+ ([^<]+)<', voided)

        decided = "The operator decided to cancel the round, so your bet was not valid."
        assert steps == [f"Voided by decision {decided} [FEED] What comes out"] * 3
        assert returned == ["10.00", "2.00", "10.00"]
        assert "#void-by-decision" not in voided
        assert "These steps add up to" not in voided

    def test_shows_no_winner(self, voided: str) -> None:
        """No bet was paid by the cards."""
        assert 'class="result"' not in voided

    def test_lists_its_settlements(self, voided: str) -> None:
        """The worker's, then the decision with its reason."""
        [listed] = texts(voided, "settlements")

        first, second = listed.split("Settlement 2")
        assert first.startswith("Settlement 1 Settled 25.00 settlement worker ")
        assert second.startswith(
            " Void 22.00 Decided by Giulia Marchetti, approved by Lorenzo Ferri "
        )
        assert second.endswith(REASON)

    def test_shows_what_was_taken_back_in_the_ledger(self, voided: str) -> None:
        """By settlement; p-1 owes 8.00."""
        [ledger] = texts(voided, "movements")

        arrival, first, second = re.split(r"Settlement \d ", ledger)
        assert arrival.startswith("Arrival Stakes received 22.00")
        assert "Reversal" not in first
        assert re.findall(
            r"(Reversal|Stake returned|Shortfall of the customer) ([\d.]+)", second
        ) == [
            ("Reversal", "22.00"),
            ("Reversal", "25.00"),
            ("Stake returned", "22.00"),
            ("Shortfall of the customer", "8.00"),
        ]

    def test_is_shown_in_italian(self, supervisor: Client, voided: str) -> None:
        """The reason stays as given."""
        supervisor.cookies["django_language"] = "it"

        page = page_html(supervisor.get(page_of("r-1")))

        [alert] = texts(page, "alert alert-slate")
        assert "Annullato per decisione di Giulia Marchetti, approvata da Lorenzo Ferri" in alert
        assert texts(page, "is-decision")[0].startswith(
            "Annullato per decisione L'operatore ha deciso di annullare il turno,"
        )


class TestAHeldRoundThatWasVoided:
    def test_still_says_why_it_was_held(self, supervisor: Client) -> None:
        """The anomaly stays visible after the decision."""
        open_table()
        ingest(lines(held_baccarat_round("r-1")))
        settle()
        void(after=0)

        page = page_html(supervisor.get(page_of("r-1")))

        [alert] = texts(page, "alert alert-slate")
        assert alert.endswith(
            "It was held because it did not comply with its rules: A card was dealt that no rule or"
            " play requires. extra-card"
        )

    def test_for_its_reported_payouts_shows_what_was_decided(self, supervisor: Client) -> None:
        """The payouts by the rules are no longer shown."""
        open_table()
        bet = baccarat_bet("b1", "player", "10.00", reported="19.00")
        ingest(lines(baccarat_round("r-1", bets=[bet])))
        settle()
        void(after=0)

        page = page_html(supervisor.get(page_of("r-1")))

        assert "<h3>Why €10.00?</h3>" in page
        assert "under the rules it is" not in page


class TestARoundThatWasSettledAgain:
    def test_pays_and_says_by_whom(self, supervisor: Client) -> None:
        """The last of three settlements counts."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        void(after=1)
        resettle(after=2)

        page = page_html(supervisor.get(page_of("r-1")))

        assert re.findall(r'data-field="paid">([^<]+)<', page) == ["€25.00"]
        assert texts(page, "alert alert-slate") == []
        [listed] = texts(page, "settlements")
        assert re.findall(r"Settlement (\d) (\w+) ([\d.]+)", listed) == [
            ("1", "Settled", "25.00"),
            ("2", "Void", "22.00"),
            ("3", "Settled", "25.00"),
        ]
        timeline = page[page.index('class="timeline"') :]
        output = re.findall(r"<p><strong>([^<]+)</strong><time", timeline)
        assert output == ["Received", "Settled", "Voided by decision", "Resettled"]
        assert "Giulia Marchetti · settlement 3" in timeline


class TestARoundThatWasSettledOnce:
    def test_has_no_list_of_settlements(self, supervisor: Client) -> None:
        """The timeline has its only settlement."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        page = page_html(supervisor.get(page_of("r-1")))

        assert texts(page, "settlements") == []
        assert 'class="entry"' not in page


class TestWhatCustomersOwe:
    def test_is_found_among_the_accounts(self, supervisor: Client, voided: str) -> None:
        """p-1 owes 8.00."""
        page = page_html(supervisor.get("/admin/payouts/account/?kind=receivable"))

        rows = re.findall(r"<tr><td>.*?</tr>", page, re.DOTALL)
        assert len(rows) == 1
        assert "p-1" in rows[0]
        assert "Owed by the customer" in rows[0]
        assert "\N{MINUS SIGN}8.00" in rows[0]

    def test_is_not_there_once_it_is_owed_no_more(self, supervisor: Client, voided: str) -> None:
        """The list has debtors only."""
        resettle(after=2)

        page = page_html(supervisor.get("/admin/payouts/account/?kind=receivable"))

        assert "No matching entries" in page
