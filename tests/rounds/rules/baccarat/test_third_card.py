"""Who draws a third card at baccarat. [BAC] Regola della terza carta."""

from itertools import product

import pytest

from rounds.rules.baccarat.coup import points_of, read_coup
from tests.rounds.rules.dealing import BACCARAT, anomalies, cards, side

TENS = "TJQK"
RANK_OF_POINTS = "TA23456789"

# [BAC] Regola della terza carta: Banker's total, and Player's third cards on which he draws.
PRINTED = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


def codes(text: str) -> set[str]:
    """The anomalies of the cards of a coup."""
    _, codes = read_coup(cards(text))
    return codes


class TestPoints:
    """[BAC] Regole del baccarat."""

    def test_count_an_ace_one_and_tens_and_figures_nothing(self) -> None:
        """The sheet's own examples: 7 and 6 are 3, 4 and 6 are nothing."""
        assert points_of(["7S", "6H"]) == 3
        assert points_of(["4S", "6H"]) == 0
        assert [points_of([f"{rank}D"]) for rank in f"A9{TENS}"] == [1, 9, 0, 0, 0, 0]


class TestPlayer:
    """[BAC] Regola della terza carta, Giocatore; Banker has seven and never draws here."""

    @pytest.mark.parametrize("points", range(6))
    def test_draws_up_to_five(self, points: int) -> None:
        """Four cards lack one; the fifth completes the coup. An eight keeps Banker standing."""
        opening = f"P:{RANK_OF_POINTS[points]}S B:7H P:KS B:KH"

        assert codes(opening) == {"missing-card"}
        assert codes(f"{opening} P:8D") == set()

    @pytest.mark.parametrize("points", [6, 7, 8, 9])
    def test_stays_from_six(self, points: int) -> None:
        """Six and seven stay, eight and nine are natural."""
        opening = f"P:{RANK_OF_POINTS[points]}S B:7H P:KS B:KH"

        assert codes(opening) == set()
        assert codes(f"{opening} P:8D") == {"extra-card"}


class TestBanker:
    """[BAC] Regola della terza carta, Banco."""

    @pytest.mark.parametrize(("banker", "third"), list(product(PRINTED, range(10))))
    def test_draws_by_the_table_if_player_drew(self, banker: int, third: int) -> None:
        """The printed table, cell by cell."""
        coup = f"P:2S B:{RANK_OF_POINTS[banker]}H P:KS B:KH P:{RANK_OF_POINTS[third]}D"
        draws = str(third) in PRINTED[banker]

        assert codes(coup) == ({"missing-card"} if draws else set())
        assert codes(f"{coup} B:AC") == (set() if draws else {"extra-card"})

    @pytest.mark.parametrize("banker", range(8))
    def test_draws_up_to_five_if_player_stayed(self, banker: int) -> None:
        """Player has six."""
        coup = f"P:6S B:{RANK_OF_POINTS[banker]}H P:KS B:KH"
        draws = banker <= 5

        assert codes(coup) == ({"missing-card"} if draws else set())
        assert codes(f"{coup} B:AC") == (set() if draws else {"extra-card"})

    @pytest.mark.parametrize(
        "opening",
        [
            "P:8S B:2H P:KS B:KH",
            "P:2S B:9H P:KS B:KH",
            "P:9S B:8H P:KS B:KH",
            "P:6S B:8H P:KS B:KH",
        ],
    )
    def test_stays_as_player_does_on_a_natural(self, opening: str) -> None:
        """[BAC] Nota importante: eight or nine on two cards stop both."""
        assert codes(opening) == set()
        assert codes(f"{opening} P:AC") == {"extra-card"}
        assert codes(f"{opening} B:AC") == {"extra-card"}

    def test_is_not_judged_if_players_third_card_is_missing(self) -> None:
        """Contract, detail 31: on a six against Player's two he might have had to stay."""
        assert codes("P:2S B:6H P:KS B:KH B:2C") == {"missing-card"}

    def test_is_not_judged_if_players_third_card_is_extra(self) -> None:
        """Contract, detail 31: on a five against Player's six he would have to draw."""
        assert codes("P:6S B:5H P:KS B:KH P:2C") == {"extra-card"}
        assert codes("P:6S B:5H P:KS B:KH P:4C") == {"extra-card"}

    def test_is_judged_if_player_has_a_fourth_card(self) -> None:
        """Player's third card is correct, so Banker's five has to draw on its four."""
        assert codes("P:2S B:5H P:KS B:KH P:4C P:5C") == {"extra-card", "missing-card"}


class TestTheOrderOfTheDeal:
    """Contract, detail 24: a card out of order is an extra card."""

    @pytest.mark.parametrize("opening", ["P:4S P:5D B:7H B:TC", "B:7H P:4S B:TC P:5D"])
    def test_does_not_matter_within_the_first_four_cards(self, opening: str) -> None:
        """As in the blackjack family, each place's own order is what counts."""
        assert codes(opening) == set()

    def test_has_third_cards_after_the_first_four(self) -> None:
        """Player's third card precedes Banker's second."""
        assert codes("P:2S B:7H P:KS P:8D B:KH") == {"extra-card"}

    def test_has_bankers_third_card_after_players_second(self) -> None:
        """Player stays on seven and Banker draws to five: the correct cards, dealt too early."""
        assert codes("P:3S B:5H P:4D B:KH B:2C") == set()
        assert codes("P:3S B:5H B:KH B:2C P:4D") == {"extra-card"}

    def test_has_players_third_card_before_bankers(self) -> None:
        """Banker's draw depends on Player's third card."""
        assert codes("P:2S B:2H P:KS B:KH P:8D B:3C") == set()
        assert codes("P:2S B:2H P:KS B:KH B:3C P:8D") == {"extra-card"}


class TestACoup:
    """Several anomalies together, and cards at places baccarat does not have."""

    @pytest.mark.parametrize("text", ["", "P:4S", "P:4S B:7H P:5D", "P:4S P:5D", "B:7H B:TC P:4S"])
    def test_without_its_opening_cards_is_not_judged(self, text: str) -> None:
        """Nothing that needs them is judged."""
        coup, codes = read_coup(cards(text))

        assert (coup, codes) == (None, {"missing-card"})

    def test_has_no_card_at_a_box(self) -> None:
        """Boxes and a dealer do not exist at baccarat."""
        assert codes("P:4S B:7H P:5D B:TC 3:AH D:AS") == {"extra-card"}
        assert codes("P:4S 3:AH") == {"missing-card", "extra-card"}

    def test_has_no_fourth_card_of_a_hand(self) -> None:
        """Also while the other hand lacks its opening."""
        assert codes("P:4S P:5D P:5D P:5D") == {"missing-card", "extra-card"}
        assert codes("P:4S B:7H P:5D P:5D P:5D") == {"missing-card", "extra-card"}
        assert codes("P:2S B:7H P:KS B:KH P:8D B:2C B:2C") == {"extra-card"}

    def test_is_valued_by_its_first_three_cards(self) -> None:
        """Player's 2, K and 8 are worth nothing, with or without a fourth card."""
        coup, _ = read_coup(cards("P:2S B:7H P:KS B:KH P:8D P:9C"))

        assert coup is not None
        assert (coup.player, coup.player_points) == (("2S", "KS", "8D"), 0)

    def test_reports_extra_cards_and_copies_together(self) -> None:
        """Contract, detail 22: all codes that apply, sorted."""
        ninth = "P:5H B:5H P:5H B:5H P:5H B:5H P:5H B:5H B:5H"

        codes = anomalies(ninth, side("tie"), rules=BACCARAT)

        assert codes == ("extra-card", "too-many-copies")
