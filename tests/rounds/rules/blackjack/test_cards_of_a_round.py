"""Cards that are missing or too many, and the order of the deal (contract, details 19 to 26)."""

import pytest

from tests.rounds.rules.dealing import (
    BLACKJACK,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    anomalies,
    bet,
    dealt,
    judged,
)

MISSING = ("missing-card",)
EXTRA = ("extra-card",)
EIGHTEEN = "1:9S D:TH 1:9H D:8C"


class TestACardThatIsMissing:
    """The rules or a ``play`` call for a card that is not there."""

    @pytest.mark.parametrize(
        "text", ["", "1:9S", "1:9S D:TH", "1:9S D:TH 1:9H", "D:TH D:8C", "1:9S D:TH D:8C"]
    )
    def test_belongs_to_the_deal(self, text: str) -> None:
        """Two cards to the box, two to the dealer."""
        assert anomalies(text, bet()) == MISSING

    @pytest.mark.parametrize(
        ("play", "rest"),
        [
            ("H", ""),
            ("HH", "1:2C"),
            ("D", ""),
            ("P,", "1a:2C"),
            ("P,", "1b:2C"),
            ("PH,", "1a:2C 1b:3C"),
        ],
    )
    def test_belongs_to_a_play(self, play: str, rest: str) -> None:
        """Each decision has its card; each hand of a split a second one."""
        raised = 1000 * (play.count("D") + play.count("P"))

        assert anomalies(f"{EIGHTEEN} {rest}", bet(play=play, raised_cents=raised)) == MISSING

    def test_belongs_to_a_zap(self) -> None:
        """Two new cards."""
        text = "1:9S D:TH 1:7H D:8C"

        assert anomalies(text, bet(play="Z"), rules=ZAPPIT) == MISSING
        assert anomalies(f"{text} 1z:2C", bet(play="ZS"), rules=ZAPPIT) == MISSING

    def test_is_not_needed_by_the_dealer_of_no_box_alone(self) -> None:
        """A round without bets has a dealer's hand all the same, and no box."""
        assert anomalies("D:TH D:8C") == ()
        assert anomalies("D:TH") == MISSING

    def test_ends_the_judgement_of_its_hand_only(self) -> None:
        """Detail 22: box 1 lacks a card, so its double after a hit is not judged; box 2 is."""
        text = "1:2S 2:5S D:TH 1:3H 2:6H D:8C 2:2C 2:3C"
        first = bet(play="HD", raised_cents=1000)
        legal = bet(box=2, play="HH")
        illegal = bet(box=2, play="HD", raised_cents=1000)

        assert anomalies(text, first, legal) == MISSING
        assert anomalies(text, first, illegal) == ("illegal-play", "missing-card")

    def test_does_not_excuse_what_was_illegal_before_it(self) -> None:
        """A hit after a stand whose card is not there."""
        assert anomalies(EIGHTEEN, bet(play="SH")) == ("illegal-play", "missing-card")

    def test_leaves_the_cards_of_a_later_split_explained(self) -> None:
        """The play calls for them, whatever the second card of the box was."""
        text = "1:9S D:TH D:8C 1a:2C 1b:3C"

        assert anomalies(text, bet(play="P,", raised_cents=1000)) == MISSING

    def test_leaves_the_dealer_free_to_draw_or_not(self) -> None:
        """Nobody knows whether the unfinished hand is live; a draw begun goes by the rule."""
        unfinished = bet(play="HH")
        text = "1:2S D:TH 1:3H D:2C 1:4S"

        assert anomalies(text, unfinished) == MISSING
        assert anomalies(f"{text} D:5H", unfinished) == MISSING
        assert anomalies(f"{text} D:5H D:6H", unfinished) == ("extra-card", "missing-card")


class TestACardTooMany:
    """A card is there that no rule and no play explains."""

    @pytest.mark.parametrize("place", ["1", "1a", "1b", "1z", "2", "2a", "7z", "P", "B"])
    def test_lies_where_nothing_explains_it(self, place: str) -> None:
        """After a stand, after no split, on a box nobody has, at another game's places."""
        assert anomalies(f"{EIGHTEEN} {place}:2C", bet(play="S")) == EXTRA

    def test_lies_on_a_box_that_the_table_does_not_have(self) -> None:
        """Detail 8."""
        text = "1:9S 2:9C D:TH 1:9H 2:9D D:8C"

        assert anomalies(f"{text} 3:2C", bet(), rules=MEGA_FIRE_BLAZE) == EXTRA

    def test_lies_on_a_box_whose_only_bet_is_void(self) -> None:
        """Details 18 and 19: it puts no box in use."""
        late = bet(box=2, placed_at=ENDED_AT)

        assert anomalies("1:9S 2:9C D:TH 1:9H 2:9D D:8C", bet(), late) == EXTRA

    def test_does_not_lie_on_an_empty_box_of_mega_fire_blaze(self) -> None:
        """Detail 19: both boxes, always; a third card there has no play."""
        text = "1:9S 2:9C D:TH 1:9H 2:9D D:8C"

        assert anomalies(text, bet(), rules=MEGA_FIRE_BLAZE) == ()
        assert anomalies(text, rules=MEGA_FIRE_BLAZE) == ()
        assert anomalies(f"{text} 2:2C", bet(), rules=MEGA_FIRE_BLAZE) == EXTRA
        assert anomalies("1:9S D:TH 1:9H D:8C", bet(), rules=MEGA_FIRE_BLAZE) == MISSING

    def test_is_none_that_another_player_of_the_box_took(self) -> None:
        """A player who stands early owns only the first cards of the stream."""
        text = "1:2S D:TH 1:3H D:8C 1:4S 1:5S"
        stands, hits_once, hits_twice = (
            bet(id=player, player=player, play=play)
            for player, play in (("p-1", "S"), ("p-2", "H"), ("p-3", "HHS"))
        )

        assert anomalies(text, stands, hits_once, hits_twice, rules=QUANTUM) == ()
        assert anomalies(text, stands, hits_once, rules=QUANTUM) == EXTRA

    def test_is_none_of_those_who_split_a_shared_box(self) -> None:
        """They follow 1a and 1b, the others follow 1."""
        text = "1:8S D:TH 1:8H D:8C 1a:2S 1b:3S 1:4S"
        splits = bet(play="P,", raised_cents=1000)
        hits = bet(id="b2", player="p-2", play="H")

        assert anomalies(text, splits, hits, rules=QUANTUM) == ()
        assert anomalies(text, splits, rules=QUANTUM) == EXTRA


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
        """What counts is the order within each place's stream."""
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
        """His third card, to 6 and ten, lies before the box's second."""
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
    def test_goes_on_to_seventeen(self, rules: str) -> None:
        """Sixteen draws, a hard seventeen stands."""
        text = "1:9S D:TH 1:9H D:2C"

        assert anomalies(text, bet(), rules=rules) == MISSING
        assert anomalies(f"{text} D:4C", bet(), rules=rules) == MISSING
        assert anomalies(f"{text} D:4C D:AC", bet(), rules=rules) == ()
        assert anomalies(f"{text} D:4C D:AC D:2H", bet(), rules=rules) == EXTRA

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE])
    def test_stops_on_a_soft_seventeen_where_he_stands(self, rules: str) -> None:
        """[BJ] Risultato; [MFB] Regole di gioco del Blackjack."""
        text = "1:9S 2:9C D:6H 1:9H 2:9D D:AC"
        bets = bet(), bet(box=2)

        assert anomalies(text, *bets, rules=rules) == ()
        assert anomalies(f"{text} D:2C", *bets, rules=rules) == EXTRA

    @pytest.mark.parametrize("rules", [QUANTUM, ZAPPIT])
    def test_goes_on_from_a_soft_seventeen_where_he_hits(self, rules: str) -> None:
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
    def test_is_optional_where_no_hand_needs_it(self, box: str, play: str, rest: str) -> None:
        """But once begun it is finished by the rule."""
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
        """Detail 25: box 2 of Mega Fire Blaze has eighteen, but nobody's."""
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


class TestCopies:
    """Anomaly ``too-many-copies``, and detail 35."""

    @pytest.mark.parametrize(("rules", "decks"), [(BLACKJACK, 8), (QUANTUM, 6), (ZAPPIT, 6)])
    def test_are_as_many_as_the_decks_hold(self, rules: str, decks: int) -> None:
        """Boxes full of aces of spades, two by two."""
        boxes = (decks + 1) // 2
        bets = [bet(box=box, play="P,", raised_cents=1000) for box in range(1, boxes)]

        def text(copies: int) -> str:
            first = " ".join(f"{box}:AS" for box in range(1, boxes))
            rest = copies - 2 * (boxes - 1)
            halves = ["AS"] * rest + ["5H"] * (2 * (boxes - 1) - rest)
            split = " ".join(
                f"{box}{half}:{halves.pop(0)}" for box in range(1, boxes) for half in "ab"
            )
            return f"{first} D:TH {first} D:8C {split}"

        assert anomalies(text(decks), *bets, rules=rules) == ()
        assert anomalies(text(decks + 1), *bets, rules=rules) == ("too-many-copies",)


class TestSeveralAnomalies:
    """Detail 22: all codes that apply are listed, sorted, each once."""

    def test_are_found_together(self) -> None:
        """Two illegal hits, a raise not paid, insurance under a ten, a card nobody has."""
        text = "1:9S 2:KS D:TH 1:9H 2:AH D:8C 1:2C 1:3C 2:3C 5:2C"
        bets = (
            bet(play="SHH", raised_cents=5),
            bet(box=2, play="H"),
            bet("insurance", stake=400),
            bet("21+3", box=3),
        )

        verdict = judged(dealt(text, *bets))

        assert (verdict.status, verdict.grades) == ("held", ())
        assert verdict.anomalies == (
            "extra-card",
            "illegal-play",
            "insurance-amount",
            "insurance-not-offered",
            "main-bet-missing",
            "raise-mismatch",
        )
