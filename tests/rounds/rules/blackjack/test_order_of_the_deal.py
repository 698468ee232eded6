"""The order of the deal, and when the dealer draws."""

import pytest

from tests.rounds.rules.blackjack.anomaly_codes import EXTRA, MISSING
from tests.rounds.rules.dealing import (
    BLACKJACK,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    anomalies,
    bet,
)


class TestTheOrderOfTheDeal:
    """Detail 24, and readings: the first two cards of boxes and dealer precede every other card."""

    @pytest.mark.parametrize(
        "text",
        [
            "1:9S 1:9H 2:5S 2:6H D:TH D:8C 2:2C",
            "D:TH D:8C 2:5S 1:9S 2:6H 1:9H 2:2C",
        ],
    )
    def test_is_free_within_the_opening_cards(self, text: str) -> None:
        """Only the order within each place counts."""
        assert anomalies(text, bet(), bet(box=2, play="H")) == ()

    def test_is_free_among_the_plays(self) -> None:
        """Box 2 drew before box 1."""
        text = "1:2S 2:5S D:TH 1:3H 2:6H D:8C 2:2C 1:4C"

        assert anomalies(text, bet(play="H"), bet(box=2, play="H")) == ()

    @pytest.mark.parametrize(
        "text",
        [
            "1:2S 2:5S D:TH 1:3H 1:4C 2:6H D:8C",
            "1:2S 2:5S D:TH 1:3H 2:6H 1:4C D:8C",
        ],
    )
    def test_is_broken_by_a_play_before_the_opening_is_dealt(self, text: str) -> None:
        """A hit before the second box, or the dealer, has two cards."""
        assert anomalies(text, bet(play="H"), bet(box=2)) == EXTRA

    def test_is_broken_by_the_dealers_draw_before_the_opening_is_dealt(self) -> None:
        """The third card, to 6 and ten, precedes the box's second."""
        assert anomalies("1:9S D:6D 1:TC D:KC D:5H", bet()) == ()
        assert anomalies("1:9S D:6D D:KC D:5H 1:TC", bet()) == EXTRA

    def test_is_broken_by_a_split_card_or_a_zap_card_before_the_hole_card(self) -> None:
        """Each of them follows a play."""
        split = "1:8S D:TH 1:8H 1a:2S D:8C 1b:3S"
        zap = "1:8S D:TH 1:8H 1z:2S D:8C 1z:3S"

        assert anomalies(split, bet(play="P,", raised_cents=1000)) == EXTRA
        assert anomalies(zap, bet(play="Z"), rules=ZAPPIT) == EXTRA


class TestTheDealersDraw:
    """Readings, and contract, detail 25."""

    @pytest.mark.parametrize("rules", [BLACKJACK, QUANTUM, ZAPPIT])
    def test_continues_to_seventeen(self, rules: str) -> None:
        """Sixteen draws, a hard seventeen stands."""
        text = "1:9S D:TH 1:9H D:2C"

        assert anomalies(text, bet(), rules=rules) == MISSING
        assert anomalies(f"{text} D:4C", bet(), rules=rules) == MISSING
        assert anomalies(f"{text} D:4C D:AC", bet(), rules=rules) == ()
        assert anomalies(f"{text} D:4C D:AC D:2H", bet(), rules=rules) == EXTRA

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE])
    def test_stops_on_a_soft_seventeen_at_blackjack_and_mega_fire_blaze(self, rules: str) -> None:
        """[BJ] Risultato; [MFB] Regole di gioco del Blackjack."""
        text = "1:9S 2:9C D:6H 1:9H 2:9D D:AC"
        bets = bet(), bet(box=2)

        assert anomalies(text, *bets, rules=rules) == ()
        assert anomalies(f"{text} D:2C", *bets, rules=rules) == EXTRA

    @pytest.mark.parametrize("rules", [QUANTUM, ZAPPIT])
    def test_continues_on_a_soft_seventeen_at_quantum_and_zappit(self, rules: str) -> None:
        """[QB] Regole di gioco (R), shown as 7/17; [ZAP] Regole. A soft eighteen stands."""
        text = "1:9S D:6H 1:9H D:AC"

        assert anomalies(text, bet(), rules=rules) == MISSING
        assert anomalies(f"{text} D:AS", bet(), rules=rules) == ()
        assert anomalies(f"{text} D:TS", bet(), rules=rules) == ()
        assert anomalies(f"{text} D:9S D:2S", bet(), rules=rules) == ()

    @pytest.mark.parametrize(
        ("box", "play", "rest"),
        [("1:9S {} 1:7H", "H", "1:8C"), ("1:AS {} 1:KH", "", "")],
        ids=["bust", "blackjack"],
    )
    def test_is_optional_if_no_hand_needs_it(self, box: str, play: str, rest: str) -> None:
        """Once begun it has to be completed."""
        text = f"{box.format('D:TH')} D:2C {rest}"

        assert anomalies(text, bet(play=play)) == ()
        assert anomalies(f"{text} D:2H", bet(play=play)) == MISSING
        assert anomalies(f"{text} D:2H D:9H", bet(play=play)) == ()
        assert anomalies(f"{text} D:9H D:2H", bet(play=play)) == EXTRA

    def test_is_needed_by_one_live_hand_of_many(self) -> None:
        """Box 1 is bust, box 2 stands; of a split one hand is enough."""
        two = "1:9S 2:9C D:TH 1:7H 2:9D D:2C 1:8C"
        split = "1:8S D:TH 1:8H D:2C 1a:8C 1a:9C 1b:3S"

        assert anomalies(two, bet(play="H"), bet(box=2)) == MISSING
        assert anomalies(split, bet(play="PH,", raised_cents=1000)) == MISSING

    def test_is_needed_by_a_hand_of_ten_cards(self) -> None:
        """Detail 25: though it wins unless the dealer has a blackjack."""
        ten = "1:AS 2:9C D:TH 1:AH 2:9D D:2C 1:AD 1:AC 1:2S 1:2H 1:2D 1:2C 1:3S 1:3H"

        assert anomalies(ten, bet(play="HHHHHHHH"), rules=MEGA_FIRE_BLAZE) == MISSING

    def test_is_not_needed_by_a_box_without_bets(self) -> None:
        """Detail 25: box 2 of Mega Fire Blaze has eighteen and no bet."""
        text = "1:9S 2:9C D:TH 1:7H 2:9D D:2C 1:8C"

        assert anomalies(text, bet(play="H"), rules=MEGA_FIRE_BLAZE) == ()

    def test_is_not_needed_by_a_void_bet(self) -> None:
        """Detail 25: a late main bet on the other box of Mega Fire Blaze."""
        text = "1:9S 2:9C D:TH 1:7H 2:9D D:2C 1:8C"
        late = bet(box=2, placed_at=ENDED_AT)

        assert anomalies(text, bet(play="H"), late, rules=MEGA_FIRE_BLAZE) == ()

    def test_never_follows_a_blackjack(self) -> None:
        """21 on two cards stands."""
        assert anomalies("1:9S D:TH 1:9H D:AC D:2C", bet()) == EXTRA
