"""What happened to which card: the correction form asks, and applies one change after the other."""

import re
from typing import Any, Final

import pytest
from django.test import Client

from payouts.cases.models import Case
from rounds.rules.cards import CARDS
from tests.casino.backoffice.cases.case_forms import fields_of
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import lines
from tests.payouts.settlement.resettlement_scenarios import stored
from tests.rounds.contract.by_hand import bet, deal

DEALT: Final = "P 4S, B 7H, P 5D, B TC, P 2C"
"""r-3: Player has a natural nine, and a card too many."""
BLACKJACK: Final = "1 5H, D 6S, 1 6D, D TC, 1 9S, D 2D"

pytestmark = pytest.mark.usefixtures("rounds")


def form(cards: str, **fields: str | int) -> dict[str, Any]:
    """The form with these cards and a change of one of them."""
    pairs = [pair.split() for pair in cards.split(", ")]
    places, codes = [place for place, _ in pairs], [code for _, code in pairs]
    return {"place": places, "card": codes, "preview": "1", **fields}


def read_in(page: str) -> str:
    """The cards that the page sends next time."""
    pairs = re.findall(
        r'name="place" value="(\w+)"><input type="hidden" name="card" value="(\w+)"', page
    )
    return ", ".join(f"{place} {code}" for place, code in pairs)


@pytest.fixture
def address() -> str:
    """The correction of the round with a card too many."""
    return f"/admin/cases/correct/{stored('r-3').id}/"


@pytest.fixture
def blackjack() -> str:
    """The correction of a round of blackjack."""
    open_table("bj-1", "blackjack/1")
    cards = " ".join(pair.replace(" ", ":") for pair in BLACKJACK.split(", "))
    ingest(lines(deal(cards, bet("b1", play="H"), table="bj-1", round="r-9")))
    settle()
    return f"/admin/cases/correct/{stored('r-9').id}/"


class TestTheFirstPage:
    def test_says_which_card_is_at_fault(self, giulia: Client, address: str) -> None:
        """As the findings of the round say; that card is chosen, what happened is not."""
        page = page_html(giulia.get(address))

        assert "At fault as received" in page
        assert "a hand had a natural (9); it must stand" in page
        [fault] = re.findall(
            r'is-fault">\s*<input type="radio" name="number" value="(\d)"([^>]*)', page
        )
        assert fault == ("5", " checked")
        assert re.findall(r'name="change" value="(\w+)" checked', page) == ["none"]
        assert read_in(page) == DEALT

    def test_offers_a_deck_and_no_list_of_cards(self, giulia: Client, address: str) -> None:
        """Four suits of thirteen ranks."""
        page = page_html(giulia.get(address))

        assert re.findall(r'name="code" value="(\w+)"', page) == list(CARDS)
        assert '<select name="card"' not in page


class TestAChange:
    @pytest.mark.parametrize(
        ("change", "cards"),
        [
            ({"change": "not_dealt", "number": 5}, "P 4S, B 7H, P 5D, B TC"),
            ({"change": "misread", "number": 3, "code": "2H"}, "P 4S, B 7H, P 2H, B TC, P 2C"),
            ({"change": "elsewhere", "number": 5}, "P 4S, B 7H, P 5D, B TC, B 2C"),
            (
                {"change": "missing", "number": 5, "code": "8D", "where": "B"},
                f"{DEALT}, B 8D",
            ),
            (
                {"change": "missing", "number": 0, "code": "8D", "where": "B"},
                f"B 8D, {DEALT}",
            ),
            ({"change": "none", "number": 5, "code": "8D", "where": "B"}, DEALT),
        ],
    )
    def test_of_a_coup(
        self, giulia: Client, address: str, change: dict[str, Any], cards: str
    ) -> None:
        """A card leaves, changes, goes to the other hand, or comes in."""
        page = page_html(giulia.post(address, form(DEALT, **change)))

        assert read_in(page) == cards
        assert re.findall(r'name="change" value="(\w+)" checked', page) == ["none"]

    def test_of_a_box_names_the_hand(self, giulia: Client, blackjack: str) -> None:
        """The first card was for box 2."""
        change: dict[str, Any] = {"change": "elsewhere", "number": 1, "where": "2"}

        page = page_html(giulia.post(blackjack, form(BLACKJACK, **change)))

        assert read_in(page) == BLACKJACK.replace("1 5H", "2 5H")
        assert "A card is for another box" in page

    def test_follows_another(self, giulia: Client, address: str) -> None:
        """The last card was not dealt, and the third was a six: Player has a zero."""
        first = read_in(page_html(giulia.post(address, form(DEALT, change="not_dealt", number=5))))
        second: dict[str, Any] = {"change": "misread", "number": 3, "code": "6D"}

        page = page_html(giulia.post(address, form(first, **second)))

        assert read_in(page) == "P 4S, B 7H, P 6D, B TC"
        assert page.count('class="original"') == 2

    @pytest.mark.parametrize("card", ["01J", "1", "8X", "\N{PILE OF POO}"])
    def test_of_what_is_no_card_is_refused(self, giulia: Client, address: str, card: str) -> None:
        """No page sends it: the hidden fields were changed by hand."""
        changed = {**form(DEALT), "card": [card] * 5}

        assert giulia.post(address, changed).status_code == 400

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"change": "not_dealt"}, "Choose the card."),
            ({"change": "not_dealt", "number": 0}, "Choose the card."),
            ({"change": "not_dealt", "number": 6}, "Choose the card."),
            ({"change": "misread", "number": 5}, "Choose the card that the video shows."),
            ({"change": "missing", "number": 5, "code": "8D"}, "Choose the place."),
            ({"change": "missing", "number": 5, "code": "8D", "where": "9"}, "Choose the place."),
        ],
    )
    def test_that_lacks_something_changes_nothing(
        self, giulia: Client, address: str, change: dict[str, Any], message: str
    ) -> None:
        """The page names it, and keeps what was chosen."""
        page = page_html(giulia.post(address, form(DEALT, **change)))

        assert message in page
        assert read_in(page) == DEALT
        assert re.findall(r'name="change" value="(\w+)" checked', page) == [change["change"]]

    def test_is_not_applied_again_by_the_proposal(self, giulia: Client, address: str) -> None:
        """What is proposed are the cards that were shown."""
        cards = "P 4S, B 7H, P 5D, B TC"
        seen = fields_of(giulia.post(address, form(cards)))
        reason = {"reason": "card-not-in-play", "text": "Never left the shoe.", "propose": "1"}

        sent = {**form(cards, change="not_dealt", number=4), **seen, **reason}
        giulia.post(address, sent)

        [step] = Case.objects.get().steps.filter(action="proposed")
        assert step.ruling is not None
        assert step.ruling["cards"] == cards.split(", ")


class TestTheThirdCards:
    def test_show_the_row_and_the_column_that_apply(self, giulia: Client, address: str) -> None:
        """Banker's 7 against a third card of 3: it stays."""
        page = page_html(giulia.post(address, form("P 2S, B 7H, P KD, B TC, P 3C")))

        [row] = re.findall(r'<tr class="is-current".*?</tr>', page, re.DOTALL)
        draws, stays = re.findall("<td>.*?</td>", row, re.DOTALL)
        assert "never" in draws
        assert re.findall(r'point is-current">(\d)', stays) == ["3"]
        assert "this round" in stays

    def test_do_not_apply_to_a_natural(self, giulia: Client, address: str) -> None:
        """Nine of Player: both stay."""
        page = page_html(giulia.get(address))

        assert "Player 9, Banker 7: with 8 or more in either hand both stay." in page
        assert 'class="is-current"' not in page

    def test_are_not_shown_at_blackjack(self, giulia: Client, blackjack: str) -> None:
        """It has none."""
        assert "Third cards" not in page_html(giulia.get(blackjack))
