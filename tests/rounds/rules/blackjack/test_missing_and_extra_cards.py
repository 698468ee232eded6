"""Missing cards, extra cards, and more copies than the decks hold."""

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
    dealt,
    judged,
)

EIGHTEEN = "1:9S D:TH 1:9H D:8C"


class TestAMissingCard:
    """The rules or a ``play`` require a card that is not there."""

    @pytest.mark.parametrize(
        "text", ["", "1:9S", "1:9S D:TH", "1:9S D:TH 1:9H", "D:TH D:8C", "1:9S D:TH D:8C"]
    )
    def test_may_be_of_the_deal(self, text: str) -> None:
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
    def test_may_be_of_a_play(self, play: str, rest: str) -> None:
        """Each decision has its card; each hand of a split a second one."""
        raised = 1000 * (play.count("D") + play.count("P"))

        assert anomalies(f"{EIGHTEEN} {rest}", bet(play=play, raised_cents=raised)) == MISSING

    def test_may_be_of_a_zap(self) -> None:
        """Two new cards."""
        text = "1:9S D:TH 1:7H D:8C"

        assert anomalies(text, bet(play="Z"), rules=ZAPPIT) == MISSING
        assert anomalies(f"{text} 1z:2C", bet(play="ZS"), rules=ZAPPIT) == MISSING

    def test_may_be_of_the_dealer_without_a_box(self) -> None:
        """A round without bets has a dealer's hand and no box."""
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

    def test_does_not_excuse_an_earlier_illegal_decision(self) -> None:
        """A hit after a stand whose card is missing."""
        assert anomalies(EIGHTEEN, bet(play="SH")) == ("illegal-play", "missing-card")

    def test_leaves_the_cards_of_a_later_split_explained(self) -> None:
        """The play requires them, for any second card of the box."""
        text = "1:9S D:TH D:8C 1a:2C 1b:3C"

        assert anomalies(text, bet(play="P,", raised_cents=1000)) == MISSING

    def test_makes_the_dealers_draw_optional(self) -> None:
        """The unfinished hand may be live or bust; a draw once begun follows the rule."""
        unfinished = bet(play="HH")
        text = "1:2S D:TH 1:3H D:2C 1:4S"

        assert anomalies(text, unfinished) == MISSING
        assert anomalies(f"{text} D:5H", unfinished) == MISSING
        assert anomalies(f"{text} D:5H D:6H", unfinished) == ("extra-card", "missing-card")


class TestAnExtraCard:
    """A card that no rule or play requires."""

    @pytest.mark.parametrize("place", ["1", "1a", "1b", "1z", "2", "2a", "7z", "P", "B"])
    def test_may_lie_at_any_place(self, place: str) -> None:
        """After a stand, without a split, on an unused box, at places of another game."""
        assert anomalies(f"{EIGHTEEN} {place}:2C", bet(play="S")) == EXTRA

    @pytest.mark.parametrize("place", ["1", "P"])
    def test_is_found_without_any_card_of_the_dealer(self, place: str) -> None:
        """Detail 22: beside the missing cards."""
        assert anomalies(f"1:9S 1:9H {place}:2C", bet()) == ("extra-card", "missing-card")

    def test_may_lie_on_a_box_that_the_table_lacks(self) -> None:
        """Detail 8."""
        text = "1:9S 2:9C D:TH 1:9H 2:9D D:8C"

        assert anomalies(f"{text} 3:2C", bet(), rules=MEGA_FIRE_BLAZE) == EXTRA

    def test_may_lie_on_a_box_whose_only_bet_is_void(self) -> None:
        """Details 18 and 19: a void bet puts no box in use."""
        late = bet(box=2, placed_at=ENDED_AT)

        assert anomalies("1:9S 2:9C D:TH 1:9H 2:9D D:8C", bet(), late) == EXTRA

    def test_excludes_the_deal_of_an_empty_box_of_mega_fire_blaze(self) -> None:
        """Detail 19: both boxes are always dealt; a third card there has no play."""
        text = "1:9S 2:9C D:TH 1:9H 2:9D D:8C"

        assert anomalies(text, bet(), rules=MEGA_FIRE_BLAZE) == ()
        assert anomalies(text, rules=MEGA_FIRE_BLAZE) == ()
        assert anomalies(f"{text} 2:2C", bet(), rules=MEGA_FIRE_BLAZE) == EXTRA
        assert anomalies("1:9S D:TH 1:9H D:8C", bet(), rules=MEGA_FIRE_BLAZE) == MISSING

    def test_excludes_cards_of_another_player_of_the_box(self) -> None:
        """A player who stands early uses only the first cards of the box."""
        text = "1:2S D:TH 1:3H D:8C 1:4S 1:5S"
        stands, hits_once, hits_twice = (
            bet(id=player, player=player, play=play)
            for player, play in (("p-1", "S"), ("p-2", "H"), ("p-3", "HHS"))
        )

        assert anomalies(text, stands, hits_once, hits_twice, rules=QUANTUM) == ()
        assert anomalies(text, stands, hits_once, rules=QUANTUM) == EXTRA

    def test_excludes_the_hands_of_a_split_shared_box(self) -> None:
        """The splitting player uses 1a and 1b, the other one 1."""
        text = "1:8S D:TH 1:8H D:8C 1a:2S 1b:3S 1:4S"
        splits = bet(play="P,", raised_cents=1000)
        hits = bet(id="b2", player="p-2", play="H")

        assert anomalies(text, splits, hits, rules=QUANTUM) == ()
        assert anomalies(text, splits, rules=QUANTUM) == EXTRA


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

    def test_are_reported_together(self) -> None:
        """Illegal hits, an unpaid raise, wrong insurance, a card on an unused box."""
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
