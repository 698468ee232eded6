"""Cards that are missing, too many, or more often there than the decks hold."""

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
    """A card was dealt that no rule or play requires."""

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
