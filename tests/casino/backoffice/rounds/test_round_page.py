"""The page of a round: its cards, its money, its reasons and its records."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.backoffice.rounds.bets import MOST_BETS
from casino.backoffice.rounds.explanations import why_paid
from compliance.trail.models import AuditRecord
from payouts.settlement.models import Settlement
from rounds.models import Round
from rounds.rules.catalogue import rule_set
from rounds.rules.verdict import Grade
from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.reading import page_html
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import failing_round


def example_of_the_contract() -> dict[str, Any]:
    """The round of the feed contract, "A round": eights split against a dealer 18."""
    customer = {"player": "p-381", "participation": "N000000000000381", "box": 1}
    return {
        "feed": "round/1",
        "round": "bj-7-20261121-211010",
        "table": "bj-7",
        "rules": "blackjack/1",
        "shoe": {"id": "bj-7-000123", "drawn": 57},
        "opened_at": "2026-11-21T21:10:10Z",
        "closed_at": "2026-11-21T21:10:25Z",
        "ended_at": "2026-11-21T21:11:02Z",
        "session": "M000000000000001",
        "cards": [
            *(["1", "8H"], ["D", "AS"], ["1", "8D"], ["D", "7S"]),
            *(["1a", "3C"], ["1a", "KD"], ["1b", "TD"]),
        ],
        "bets": [
            {
                **customer,
                "id": "b1",
                "kind": "main",
                "stake": "10.00",
                "raised": "10.00",
                "play": "PH,",
                "placed_at": "2026-11-21T21:10:15Z",
            },
            {
                **customer,
                "id": "b2",
                "kind": "perfect_pairs",
                "stake": "1.00",
                "placed_at": "2026-11-21T21:10:16Z",
            },
        ],
    }


@pytest.fixture
def blackjack(supervisor: Client) -> str:
    """The page of the contract's round, settled."""
    open_table("bj-7", "blackjack/1")
    ingest(lines(example_of_the_contract()))
    settle()
    return page_html(supervisor.get(page_of("bj-7-20261121-211010")))


class TestARoundWhosePayoutsAreReportedOtherwise:
    def test_tells_what_the_rules_give_beside_what_the_studio_says(
        self, supervisor: Client
    ) -> None:
        """The hand pays 30.00 and the pair 13.00; the studio says 20.00 for the hand."""
        output = example_of_the_contract()
        output["bets"][0]["reported"] = "20.00"
        open_table("bj-7", "blackjack/1")
        ingest(lines(output))
        settle()

        page = page_html(supervisor.get(page_of("bj-7-20261121-211010")))

        headings = re.findall(r"<h3>([^<]+)</h3>", page)
        assert "€30.00 under the rules; not paid yet" in headings
        assert "€13.00 under the rules; not paid yet" in headings
        assert "The studio reported €20.00." in page
        assert page.count("Reported differently") == 1
        assert "The first hand began with 8♥ and received 3♣: 11." in re.sub("<[^>]+>", "", page)


class TestASettledRound:
    def test_shows_what_every_bet_paid(self, blackjack: str) -> None:
        """Hand a 8+3+K = 21 wins 20.00, hand b 8+10 = 18 pushes 10.00; coloured eights 12:1."""
        paid = re.findall(r'<td class="num"><strong>([^<]+)<', blackjack)

        assert paid == ["30.00", "13.00"]
        assert "€43.00" in blackjack

    def test_shows_the_game_code_and_the_cards_drawn_from_the_shoe(self, blackjack: str) -> None:
        """57 cards had left the shoe, seven were dealt: the 58th to the 64th."""
        assert "Round #21:10:10" in blackjack
        assert "cards 58\N{EN DASH}64" in blackjack

    def test_names_the_rule_of_each_hand(self, blackjack: str) -> None:
        """[BJ] Vincite pays the winning hand, [BJ] Risultato gives the push back."""
        reasons = re.findall(
            r'<li class="is-decision"><div><strong>([^<]+)</strong>.*?<cite><a [^>]+>([^<]+)</a>',
            blackjack,
            re.DOTALL,
        )

        assert reasons == [
            ("Winning hand: 1:1", "[BJ] Vincite"),
            ("Equal totals: push", "[BJ] Risultato"),
            ("Coloured pair: 12:1", "[BJ] Vincite, Coppie Perfette"),
        ]

    def test_tells_step_by_step_what_led_to_each_payout(self, blackjack: str) -> None:
        """21 wins 10.00 and its stake, 18 pushes: the amounts come to 30.00; the pair to 13.00."""
        bets = blackjack.split('<tr class="reason"')[1:]
        adds = [re.findall(r'class="num adds">\+ ([^<]+)<', bet) for bet in bets]
        text = re.sub(r"<[^>]+>", "", blackjack)

        assert adds == [["10.00", "10.00", "10.00"], ["12.00", "1.00"]]
        assert "The first hand began with 8♥ and received 3♣: 11." in text
        assert "The dealer had A♠ face up and 7♠ face down: 18 (an Ace counting eleven)." in text
        assert '<b class="pip is-red">8♥</b>' in blackjack
        assert "These steps add up to" not in text

    def test_links_each_decision_to_its_rule_and_its_readings(self, blackjack: str) -> None:
        """A coloured pair rests on the reading that rank counts and not value."""
        assert '<a href="/admin/rule-sets/blackjack/1/#win">[BJ] Vincite</a>' in blackjack
        assert "#rank-or-value" in blackjack

    def test_lays_the_cards_of_a_split_in_two_hands(self, blackjack: str) -> None:
        """Contract, "Cards": "1a" starts from the first split card, "1b" from the second."""
        hands = dict(re.findall(r'data-hand="(\w+)">(.*?)</p>', blackjack, re.DOTALL))
        dealt = {place: re.findall(r'data-card="(\d+)"', hand) for place, hand in hands.items()}

        assert dealt == {"D": ["2", "4"], "1a": ["1", "5", "6"], "1b": ["3", "7"]}

    def test_tells_who_did_what(self, blackjack: str) -> None:
        """The trail has the arrival and the settlement."""
        timeline = blackjack[blackjack.index('class="timeline"') :]

        assert re.findall(r"<p><strong>([^<]+)</strong><time", timeline) == ["Received", "Settled"]
        assert "settlement worker" in timeline

    def test_shows_where_the_money_went(self, blackjack: str) -> None:
        """21.00 staked: 20.00 on the hand and 1.00 on the pair; 43.00 paid in two transfers."""
        ledger = blackjack[blackjack.index('class="movements"') :]
        movements = re.findall(r'<b class="num">([^<]+)</b>.*?<span>([^<]+)</span>', ledger)

        assert movements == [
            ("21.00", "Operator&#x27;s wallet → Stakes held"),
            ("21.00", "Stakes held → House"),
            ("43.00", "House → Customer"),
        ]


class TestAnExplanation:
    def test_of_a_bet_behind_finds_the_owner_on_a_later_page(self, supervisor: Client) -> None:
        """200 bets behind fill the page; the hand is that of the 201st bet."""
        document = example_of_the_contract()
        owner, pair = document["bets"]
        behind = [
            {
                **pair,
                "id": f"behind-{number}",
                "player": f"p-{number}-behind",
                "kind": "main",
                "behind": True,
                "follows": False,
            }
            for number in range(MOST_BETS)
        ]
        open_table("bj-7", "blackjack/1")
        ingest(lines({**document, "bets": [*behind, owner]}))
        settle()

        page = page_html(supervisor.get(page_of("bj-7-20261121-211010")))

        assert page.count("so your stake rode on the first hand of the split alone.") == MOST_BETS
        assert "These steps add up to" not in page

    def test_says_when_it_does_not_lead_to_what_was_settled(self, blackjack: str) -> None:
        """21 and 18 come to 30.00; a settlement of 31.00 would be another matter."""
        row = Round.objects.get()
        hand = Grade("win", 3100, 0, ("win", "push"))
        pair = Grade("win", 1300, 0, ("coloured-pair",))

        output = why_paid(row, rule_set(row.rules), {0: hand, 1: pair})

        assert [(why.comes_to_cents, why.adds_up) for why in output.values()] == [
            (3000, False),
            (1300, True),
        ]


class TestAHeldRound:
    def test_says_what_is_wrong_and_that_no_money_moves(self, supervisor: Client) -> None:
        """Player drew on a natural: contract, `extra-card`."""
        open_table()
        ingest(lines(held_baccarat_round("r-held")))
        settle()

        page = page_html(supervisor.get(page_of("r-held")))

        assert "Held: payout suspended pending a decision" in page
        assert "A card is there that no rule and no play explains." in page
        assert "Stakes of €22.00 are in the account" in page


class TestAWaitingRound:
    def test_is_shown_before_it_is_settled(self, supervisor: Client) -> None:
        """Whoever looks before the worker sees the facts and no payout."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        page = page_html(supervisor.get(page_of("r-1")))

        assert "Awaiting settlement" in page
        assert "No transfers." in page


class TestAVoidRound:
    def test_gives_everything_back(self, supervisor: Client) -> None:
        """The studio's malfunction: 22.00 go back, no margin."""
        open_table()
        ingest(lines(baccarat_round("r-void", incident="malfunction")))
        settle()

        page = page_html(supervisor.get(page_of("r-void")))

        assert "Void: all stakes were refunded" in page
        assert re.findall(r'data-field="paid">([^<]+)<', page) == ["€22.00"]


class TestARoundWithVeryManyBets:
    def test_is_shown_in_pages_with_as_many_queries_as_a_small_one(
        self, supervisor: Client
    ) -> None:
        """450 bets are pages of 200, 200 and 50."""
        open_table()
        bets = [baccarat_bet(f"b{number}", "player", "1.00") for number in range(450)]
        ingest(lines(baccarat_round("r-small"), baccarat_round("r-big", bets=bets)))
        settle()
        with CaptureQueriesContext(connection) as small:
            supervisor.get(page_of("r-small"))

        with CaptureQueriesContext(connection) as big:
            page = page_html(supervisor.get(page_of("r-big")))
        sizes, address = [], page_of("r-big")
        while address:
            page = page_html(supervisor.get(address))
            sizes.append(page.count('<tr class="bet" id='))
            further = re.search(r'rel="next" href="(\?bets_after=\d+)#bets"', page)
            address = page_of("r-big") + further[1] if further else ""

        assert sizes == [MOST_BETS, MOST_BETS, 50]
        assert len(big) == len(small)
        assert "bets 401 to 450 of 450" in page


class TestTextFromAFeed:
    def test_is_never_markup(self, supervisor: Client) -> None:
        """A pseudonym is whatever the operator's system writes."""
        open_table()
        bet = baccarat_bet("<b>b1</b>", "player", "1.00", player="<script>alert(1)</script>")
        ingest(lines(baccarat_round("r-1", bets=[bet])))
        settle()

        page = page_html(supervisor.get(page_of("r-1")))

        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "<b>b1</b>" not in page


class TestNobody:
    @pytest.mark.parametrize("action", ["add/", "{pk}/delete/", "{pk}/history/"])
    def test_adds_or_deletes_a_round(self, supervisor: Client, action: str) -> None:
        """Facts are append-only; pages offer nothing else, to nobody."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        pk = Round.objects.get().pk

        response = supervisor.get("/admin/rounds/round/" + action.format(pk=pk))

        assert response.status_code in ((200,) if "history" in action else (403,))

    def test_changes_a_round_by_posting_to_its_page(self, supervisor: Client) -> None:
        """A post is answered with the page and changes nothing."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        before = AuditRecord.objects.count(), Settlement.objects.count()

        supervisor.post(page_of("r-1"), {"reference": "other", "staked_cents": "1"})

        assert Round.objects.get().reference == "r-1"
        assert (AuditRecord.objects.count(), Settlement.objects.count()) == before

    def test_finds_a_round_that_does_not_exist(self, supervisor: Client) -> None:
        """A wrong id leads home with a word, not to an error."""
        response = supervisor.get("/admin/rounds/round/no-such-id/change/", follow=True)

        assert response.redirect_chain[-1] == ("/admin/", 302)
        assert "No entry with this ID exists." in page_html(response)


class TestARoundWhoseRulesTheCodeDoesNotKnow:
    def test_opens_with_its_error_and_without_its_cards(self, supervisor: Client) -> None:
        """It arrived under a later release and waits for that code: somebody will look at it."""
        open_table()
        work = failing_round("r-1")

        page = page_html(supervisor.get(page_of("r-1")))

        assert "The running software version does not include rule set baccarat/0" in page
        assert "KeyError: &#x27;baccarat/0&#x27;" in page
        assert f"/admin/stuck/round/{work.key}/" in page
