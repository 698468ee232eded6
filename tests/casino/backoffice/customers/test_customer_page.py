"""The page of a customer (issue 20, point 6).

In each round of ``played`` p-1 stakes 10.00 on Player and 2.00 on Small and is paid 25.00;
p-2 stakes 10.00 on Banker and loses.
"""

import re

import pytest
from django.test import Client

from compliance.monitoring.customer_returns import customer_returns
from compliance.trail.models import AuditRecord
from payouts.settlement.customer_bets import bet_span
from rounds.formatting import NONE
from rounds.models import Customer
from tests.casino.api.api_client import customer_token
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.monitoring.watched_tables import looked, played
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino_in_play import open_table
from tests.payouts.cases.case_scenarios import credited, opened
from tests.payouts.disputes.dispute_scenarios import disputed
from tests.payouts.ledger.wallet import hand_over
from tests.payouts.settlement.resettlement_scenarios import void

LIST = "/admin/rounds/customer/"


def customer(pseudonym: str = "p-1") -> Customer:
    """The customer of the tests."""
    return Customer.objects.get(pseudonym=pseudonym)


def page(pseudonym: str = "p-1") -> str:
    """The address of a customer's page."""
    return f"{LIST}{customer(pseudonym).pk}/change/"


@pytest.fixture
def payments(fresh_casino: str) -> Client:
    """A browser of payments; there is a table."""
    open_table()
    return reader(person("payments"))


class TestTheReturnsOfACustomer:
    def test_are_compared_with_chance(self, payments: Client) -> None:
        """Three rounds: Player 30.00 staked and 60.00 paid; chance expects 98.7649 % of it."""
        played(3)
        looked()

        words = plain(payments, page())

        assert "Player 3 3 30.00 60.00 29.63 200.00 % 98.76 %" in words
        assert "The customer's result is +€39.00." in words

    def test_leave_void_bets_out(self, payments: Client) -> None:
        """One of two rounds is void."""
        played(2)
        void("r-0-1", after=1)

        [player, _small] = customer_returns(customer().pk)

        assert (player.kind, player.figures.sums.bets) == ("player", 1)
        assert (player.figures.sums.staked_cents, player.figures.sums.payout_cents) == (1000, 2000)

    def test_know_nothing_of_chance_before_the_monitor_has_looked(self, payments: Client) -> None:
        """A dash, and no total."""
        played(1)

        words = plain(payments, page())

        assert f"Player 1 1 10.00 20.00 {NONE} 200.00 % {NONE} {NONE}" in words

    def test_continue_with_earlier_bets(self, payments: Client) -> None:
        """Each bet is in one part: of three rounds with two bets, four bets and then two."""
        played(3)
        latest = bet_span(customer().pk, before=None, most=4)
        assert latest is not None
        earlier = bet_span(customer().pk, before=latest.first, most=4)

        parts = [
            customer_returns(customer().pk, before=before, most=4)
            for before in (None, latest.first)
        ]

        assert earlier is not None
        assert [(part.bets, part.has_earlier) for part in (latest, earlier)] == [
            (4, True),
            (2, False),
        ]
        assert [[line.figures.sums.bets for line in lines] for lines in parts] == [[2, 2], [1, 1]]


class TestThePageOfACustomer:
    def test_shows_bets_with_results_and_their_transfers(self, payments: Client) -> None:
        """The latest first, each with its round."""
        played(1)

        words = plain(payments, page("p-2"))

        assert re.search(r"bac-1 Banker 10\.00 Lost 0\.00 −10\.00", words)
        assert "No transfers yet." in words
        assert re.search(r"Payout #[0-9:]{8} .{1,40} \+20\.00", plain(payments, page()))

    def test_shows_what_the_customer_owes(self, payments: Client) -> None:
        """25.00 were paid over, then the round was void: 13.00 are missing."""
        played(1)
        hand_over(cents=2500)
        void("r-0-0", after=1)

        words = plain(payments, page())

        assert "p-1 Owes money" in words
        assert "Owed by the customer −€13.00" in words
        assert "−€13.00" in words

    def test_shows_disputes_cases_credits_and_tokens(self, payments: Client) -> None:
        """Each leads to its page."""
        played(1)
        case = opened("malfunction", "r-0-0")
        disputed("r-0-0", "p-1")
        credit = credited("p-1", 500)
        handle = customer_token("p-1").split("_")[1]

        words, others = plain(payments, page()), plain(payments, page("p-2"))

        for shown in ("D-00", str(case), f"{credit} €5.00"):
            assert shown in words
        assert handle[:12] in words
        assert (str(case) in others, "No disputes." in others, "No credits." in others) == (
            True,
            True,
            True,
        )

    def test_is_empty_for_a_customer_without_bets(self, payments: Client) -> None:
        """A customer who is only known."""
        Customer.objects.create(pseudonym="p-new")

        words = plain(payments, page("p-new"))

        for nothing in ("No bets yet.", "No transfers yet.", "No comments yet.", "No cases."):
            assert nothing in words

    @pytest.mark.parametrize(
        "until", ["x", "x/1", "018f0000-0000-7000-8000-000000000000/9999999999"]
    )
    def test_ignores_an_invalid_place(self, payments: Client, until: str) -> None:
        """The latest bets instead."""
        played(1)

        assert "Player 1 1 10.00" in plain(payments, f"{page()}?until={until}")

    def test_is_recorded_when_an_auditor_views_it(self, payments: Client) -> None:
        """As every page."""
        played(1)
        auditor = reader(person("auditor"))

        plain(auditor, page())

        [viewed] = AuditRecord.objects.filter(action="PAGE_VIEWED")
        assert viewed.details["path"] == page()


class TestAPseudonym:
    def test_leads_to_its_customer(self, payments: Client) -> None:
        """From every page that shows one."""
        played(1)

        answer = payments.get(LIST, {"pseudonym": "p-1"})

        assert answer.headers["Location"] == page()

    def test_that_nobody_has_is_not_found(self, payments: Client) -> None:
        """Without a redirect."""
        assert "No customer has this pseudonym" in plain(payments, f"{LIST}?pseudonym=p-9")

    def test_is_escaped(self, payments: Client) -> None:
        """In the list, and on its own page."""
        Customer.objects.create(pseudonym="<b>&'\"")

        for address in (LIST, page("<b>&'\"")):
            content = payments.get(address).content.decode()
            assert "<b>&" not in content
            assert "&lt;b&gt;&amp;" in content


class TestTheListsOfACustomer:
    @pytest.mark.parametrize("name", ["bets", "ledger"])
    def test_have_each_row_once(self, payments: Client, name: str) -> None:
        """Thirty rounds with two bets, both paid: fifty rows, then ten."""
        played(30)
        address = f"/admin/customers/{customer().pk}/{name}/"

        first = payments.get(address).content.decode()
        [older] = re.findall(r'rel="next" href="\?([^"]+)"', first)
        second = payments.get(f"{address}?{older}").content.decode()

        assert [content.count("<tr>") - 1 for content in (first, second)] == [50, 10]
        assert 'rel="next"' not in second
