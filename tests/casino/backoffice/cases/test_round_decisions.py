"""Corrections, releases, refunds and credits on their pages, signed and executed."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from casino.backoffice.cases.messages import undecidable_message
from payouts.cases.models import Case
from payouts.cases.propose_case import RoundsNotDecidable
from payouts.cases.remedies import Remedy
from payouts.settlement.models import Settlement
from tests.casino.backoffice.cases.case_forms import code_of_lorenzo, fields_of, sign
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import ingest, limit_stakes, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.cases.case_scenarios import effect, execute, opened
from tests.payouts.settlement.resettlement_scenarios import balance, stored
from tests.rounds.contract.by_hand import bet, deal


@pytest.mark.usefixtures("rounds")
class TestACorrection:
    def address(self) -> str:
        """The editor of the round with a card too many."""
        return f"/admin/cases/correct/{stored('r-3').id}/"

    def cards(self, *cards: str) -> dict[str, list[str]]:
        """The form fields of cards: places and cards in two lists."""
        pairs = [card.split() for card in cards]
        return {"place": [place for place, _ in pairs], "card": [card for _, card in pairs]}

    def test_shows_both_readings_and_the_difference(self, giulia: Client) -> None:
        """Without the last card Player wins with nine: p-1 is paid 25.00."""
        form = self.cards("P 4S", "B 7H", "P 5D", "B TC")

        page = page_html(giulia.post(self.address(), {**form, "preview": "1"}))

        assert "The corrected round complies with the rules." in page
        assert "Card 5" in page
        assert "+25.00" in page

    def test_at_blackjack_offers_the_hands_of_every_box(self, giulia: Client) -> None:
        """Seven boxes, each with its hand, two of a split, and one that was zapped."""
        open_table("bj-1", "blackjack/1")
        cards = "1:5H D:6S 1:6D D:TC 1:9S D:2D"
        ingest(lines(deal(cards, bet("b1", play="H"), table="bj-1", round="r-9")))
        settle()

        page = page_html(giulia.get(f"/admin/cases/correct/{stored('r-9').id}/"))

        hands = [f"{box}{hand}" for box in "1234567" for hand in ("", "a", "b", "z")]
        assert re.findall(r'name="where" value="(\w+)"', page) == ["D", *hands]

    def test_of_a_decision_begins_with_the_cards_dealt(self, giulia: Client) -> None:
        """A hit was a double; the cards stay as they are."""
        open_table("bj-1", "blackjack/1")
        cards = "1:5H D:6S 1:6D D:TC 1:9S D:2D"
        ingest(lines(deal(cards, bet("b1", play="H"), table="bj-1", round="r-9")))
        settle()
        address = f"/admin/cases/correct/{stored('r-9').id}/"

        editor = page_html(giulia.get(address))
        form = self.cards(*[card.replace(":", " ") for card in cards.split()])
        page = page_html(giulia.post(address, {**form, "play_0": "D", "preview": "1"}))

        assert re.findall(r'name="card" value="(..)"', editor) == form["card"]
        change = r'<li><span>([^<]+)</span><span class="original">([^<]+)</span>.*?<b>([^<]+)</b>'
        assert re.findall(change, page) == [("Decisions of bet b1", "hit", "double")]

    def test_that_still_breaks_a_rule_cannot_be_proposed(self, giulia: Client) -> None:
        """The page names the rule."""
        form = self.cards("P 4S", "B 7H", "P 5D", "B TC", "P 3C")

        page = page_html(giulia.post(self.address(), {**form, "preview": "1"}))

        assert "A card was dealt that no rule or play requires." in page
        assert "Propose the correction" not in page

    def test_that_the_feed_would_refuse_names_the_field(self, giulia: Client) -> None:
        """The place of a card is invalid."""
        form = self.cards("P 4S", "B 7H", "9 5D", "B TC")

        page = page_html(giulia.post(self.address(), {**form, "preview": "1"}))

        assert "The corrected round is invalid. cards[2]" in page

    @pytest.mark.slow
    def test_is_proposed_signed_and_settled(self, giulia: Client, lorenzo: Client) -> None:
        """The round's page shows the corrected and the original data."""
        form: dict[str, Any] = self.cards("P 4S", "B 7H", "P 5D", "B TC")
        seen = fields_of(giulia.post(self.address(), {**form, "preview": "1"}))
        reason = {"reason": "card-not-in-play", "text": "Never left the shoe.", "propose": "1"}
        giulia.post(self.address(), {**form, **seen, **reason})
        case = Case.objects.get()

        sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        settlement = Settlement.objects.get(round_id=stored("r-3").id)
        page = page_html(lorenzo.get(f"/admin/rounds/round/{stored('r-3').pk}/change/"))
        assert (settlement.payout_cents, settlement.approved_by) == (2500, "Lorenzo")
        assert "Data corrected by Giulia with Lorenzo" in page
        assert "not dealt" in page
        assert page.count('data-step="') == 4

    def test_of_an_effect_that_was_not_seen_is_refused(self, giulia: Client) -> None:
        """The cards differ from those previewed."""
        form: dict[str, Any] = self.cards("P 4S", "B 7H", "P 5D", "B TC")
        seen = fields_of(giulia.post(self.address(), {**form, "preview": "1"}))
        other = self.cards("P 4S", "B 7H", "P 6D", "B TC", "P 2S")
        reason = {"reason": "misread-card", "text": "Another card.", "propose": "1"}

        page = page_html(giulia.post(self.address(), {**other, **seen, **reason}))

        assert "The effect has changed since you viewed it" in page
        assert not Case.objects.exists()


class TestARelease:
    @pytest.mark.slow
    def test_of_a_round_held_for_its_stakes(self, giulia: Client, lorenzo: Client) -> None:
        """The round is settled as dealt."""
        limit_stakes(open_table(), player=(100, 500))
        ingest(lines(baccarat_round("r-1")))
        settle()
        address = f"/admin/cases/release/{stored('r-1').id}/"
        form = {"reason": "limits-agreed", "text": "Agreed by telephone.", "propose": "1"}

        seen = fields_of(giulia.get(address))
        giulia.post(address, {**seen, **form, "remedy": "real_result"})
        case = Case.objects.get()
        sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        assert balance("customer", "p-1") == 2500


@pytest.mark.usefixtures("rounds")
class TestARoundThatCannotBeDecided:
    @pytest.mark.parametrize(
        ("reference", "why"),
        [
            ("r-3", "A card was dealt that no rule or play requires."),
            ("r-9", "It is still awaiting settlement. Try again in a moment."),
        ],
    )
    def test_is_named_with_the_reason(self, reference: str, why: str) -> None:
        """A held round needs another remedy, a waiting one only time."""
        ingest(lines(baccarat_round("r-9")))
        case = opened("malfunction", reference)
        refusal = RoundsNotDecidable(effect(case, Remedy.REAL_RESULT))

        with translation.override("en"):
            words = undecidable_message(refusal)

        assert words == f"Round {reference} cannot be settled this way: {why}"


@pytest.mark.usefixtures("rounds")
class TestARefund:
    @pytest.mark.slow
    def test_of_one_bet_leaves_the_others(self, giulia: Client, lorenzo: Client) -> None:
        """Only the stake of p-2's bet is returned."""
        address = f"/admin/cases/refund/{stored('r-1').id}/"
        form = {"bet": ["1"], "reason": "bet-misrecorded", "text": "Pressed by mistake."}

        seen = fields_of(giulia.post(address, {"bet": ["1"], "preview": "1"}))
        giulia.post(address, {**seen, **form, "propose": "1"})
        case = Case.objects.get()
        sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        assert balance("customer", "p-2") == 1000
        page = page_html(lorenzo.get(f"/admin/rounds/round/{stored('r-1').pk}/change/"))
        assert "Refunded by decision" in page


@pytest.mark.usefixtures("rounds")
class TestAGoodwillCredit:
    def test_is_requested_and_signed(self, giulia: Client, lorenzo: Client) -> None:
        """p-2 is credited 12.50."""
        form = {"reason": "service-failure", "text": "An hour without a dealer."}
        giulia.post("/admin/cases/credit/", {**form, "customer": "p-2", "amount": "12.50"})
        case = Case.objects.get()

        sign(lorenzo, case, code=code_of_lorenzo())
        execute(case)

        assert balance("customer", "p-2") == 1250

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"customer": "nobody"}, "Customer not found: nobody."),
            ({"amount": "0"}, "Enter an amount greater than zero."),
            ({"amount": "1.005"}, "2 decimal places"),
        ],
    )
    def test_with_invalid_fields_is_not_proposed(
        self, giulia: Client, fields: dict[str, str], words: str
    ) -> None:
        """The form names the field."""
        requested = {"reason": "service-failure", "text": "x", "customer": "p-2", "amount": "1.00"}

        page = page_html(giulia.post("/admin/cases/credit/", {**requested, **fields}))

        assert words in page
        assert not Case.objects.exists()
