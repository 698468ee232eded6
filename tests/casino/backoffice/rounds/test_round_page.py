"""The page of a round: its cards, its money, its reasons and its records."""

import re

import pytest
from django.test import Client

from casino.backoffice.rounds.bets import MOST_BETS
from casino.backoffice.rounds.explanations import why_paid
from casino.backoffice.site.playing_cards import playing_card, suit_sign
from rounds.models import Round
from rounds.rules.catalogue import rule_set
from rounds.rules.verdict import Grade
from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.rounds.contract_round import example_of_the_contract
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines


@pytest.fixture
def blackjack(supervisor: Client) -> str:
    """The page of the contract's example round, settled."""
    open_table("bj-7", "blackjack/1")
    ingest(lines(example_of_the_contract()))
    settle()
    return page_html(supervisor.get(page_of("bj-7-20261121-211010")))


class TestARoundWithDifferingReports:
    def test_shows_computed_and_reported_payouts(self, supervisor: Client) -> None:
        """By the rules 30.00 and 13.00; the studio reported 20.00 for the hand."""
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
        assert "The first hand started with 8♥ and received 3♣: 11." in re.sub("<[^>]+>", "", page)


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

    def test_shows_who_dealt_and_where_its_recording_is(self, supervisor: Client) -> None:
        """If the studio gives them."""
        video = {"ref": "recordings/r-1.mp4", "sha256": "ab" * 32}
        open_table()
        ingest(lines(baccarat_round("r-1", dealer="d-17", shift="evening", video=video)))

        page = " ".join(page_html(supervisor.get(page_of("r-1"))).split())

        assert "d-17 · evening" in page
        assert "recordings/r-1.mp4" in page

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

    def test_explains_each_payout_step_by_step(self, blackjack: str) -> None:
        """The steps add up to 30.00 for the hand and 13.00 for the pair."""
        bets = blackjack.split('<tr class="explanation"')[1:]
        adds = [re.findall(r'class="num amount-added">\+ ([^<]+)<', bet) for bet in bets]
        text = re.sub(r"<[^>]+>", "", blackjack)

        assert adds == [["10.00", "10.00", "10.00"], ["12.00", "1.00"]]
        assert "The first hand started with 8♥ and received 3♣: 11." in text
        assert (
            "The dealer had A♠ face up and 7♠ face down: 18 (with an Ace counting as eleven)."
            in text
        )
        assert '<b class="card-text is-red">8♥</b>' in blackjack
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

    def test_names_the_phases_of_the_deal(self, blackjack: str) -> None:
        """Four cards before the split, then those of its hands."""
        phases = re.findall(r'<li data-css-span="(\d+)" title="([^"]+)"', blackjack)

        assert phases == [("4", "Opening deal"), ("3", "Box 1")]

    def test_lists_audit_records_with_actors(self, blackjack: str) -> None:
        """Arrival and settlement from the audit trail."""
        timeline = blackjack[blackjack.index('class="timeline"') :]

        assert re.findall(r"<p><strong>([^<]+)</strong><time", timeline) == ["Received", "Settled"]
        assert "settlement worker" in timeline

    def test_shows_where_the_money_went(self, blackjack: str) -> None:
        """21.00 staked: 20.00 on the hand and 1.00 on the pair; 43.00 paid in two transfers."""
        ledger = blackjack[blackjack.index('class="movements"') :]
        movements = re.findall(r'<b class="num">([^<]+)</b>.*?<span>([^<]+)</span>', ledger)

        assert movements == [
            ("21.00", "Operator&#x27;s wallet → Held stakes"),
            ("21.00", "Held stakes → House"),
            ("43.00", "House → Customer"),
        ]


@pytest.mark.parametrize(
    ("suit", "colour"), [("S", "black"), ("H", "red"), ("D", "red"), ("C", "black")]
)
def test_a_card_has_the_colour_of_its_suit(suit: str, colour: str) -> None:
    """As do its suit and the face in every size."""
    drawn = [playing_card(f"T{suit}", size) for size in "lms"] + [suit_sign(suit)]

    assert [re.findall("is-(red|black)", svg) for svg in drawn] == [[colour]] * 4


class TestAnExplanation:
    @pytest.mark.slow
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

        assert page.count("so your stake followed only the first hand of the split.") == MOST_BETS
        assert "These steps add up to" not in page

    def test_says_if_it_differs_from_the_settlement(self, blackjack: str) -> None:
        """Steps that come to 30.00 do not explain a payout of 31.00."""
        row = Round.objects.get()
        hand = Grade("win", 3100, 0, ("win", "push"))
        pair = Grade("win", 1300, 0, ("coloured-pair",))

        output = why_paid(row, rule_set(row.rules), {0: hand, 1: pair})

        assert [(why.comes_to_cents, why.adds_up) for why in output.values()] == [
            (3000, False),
            (1300, True),
        ]


class TestAHeldRound:
    def test_names_its_anomaly_and_that_no_money_moves(self, supervisor: Client) -> None:
        """Player drew on a natural: contract, `extra-card`."""
        open_table()
        ingest(lines(held_baccarat_round("r-held")))
        settle()

        page = page_html(supervisor.get(page_of("r-held")))

        assert "Held: payout suspended pending a decision" in page
        assert "A card was dealt that no rule or play requires." in page
        assert "Stakes of €22.00 are in the account" in page


class TestAWaitingRound:
    def test_is_shown_before_it_is_settled(self, supervisor: Client) -> None:
        """Facts without payouts."""
        open_table()
        ingest(lines(baccarat_round("r-1")))

        page = page_html(supervisor.get(page_of("r-1")))

        assert "Awaiting settlement" in page
        assert "No transfers." in page


class TestAVoidRound:
    def test_shows_the_refund_of_all_stakes(self, supervisor: Client) -> None:
        """A studio malfunction: 22.00 are returned."""
        open_table()
        ingest(lines(baccarat_round("r-void", incident="malfunction")))
        settle()

        page = page_html(supervisor.get(page_of("r-void")))

        assert "Void: all stakes were refunded" in page
        assert re.findall(r'data-field="paid">([^<]+)<', page) == ["€22.00"]
