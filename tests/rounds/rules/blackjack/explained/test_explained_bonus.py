"""The explanation of the Fire Blaze bonus bet."""

from rounds.rules.blackjack.explained import fire_blaze_bonus, void
from rounds.rules.explained import money
from rounds.rules.explained.explanation import (
    Cards,
    CellValues,
    Factor,
    LevelName,
    Money,
    make_step,
)
from rounds.rules.odds import Odds
from tests.rounds.rules.blackjack.fire_blaze_rounds import SIX_POINTS
from tests.rounds.rules.dealing import (
    MEGA_FIRE_BLAZE,
    bet,
    bonus,
)
from tests.rounds.rules.traces import sentences, steps_of


class TestTheBonusBet:
    """[MFB] Fire Blaze: the sheet's own example, 2 + 6 + 1 + 7 = 16 points."""

    # The dealer's A A 2 2 A: two Aces, a fourth and a fifth card, 17 at last.
    SIXTEEN = "1:TH 2:9S D:AD 1:9C 2:8H D:AC D:2C D:2D D:AS"
    # Two sections of cells: 1 to 6 are section 1, all ones but the first.
    GRID = ("1:2 2:1 3:1", "4:1 5:1 6:1 7:5", "", "", "")

    def test_lists_every_row_of_points(self) -> None:
        """8 points of Aces, 1 and 7 of cards."""
        steps = steps_of(
            self.SIXTEEN,
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
            bonus=bonus("major", "12", *self.GRID),
        )

        rows = fire_blaze_bonus.ROWS
        assert steps[1:5] == [
            make_step(rows["ace-of-dealer"], count=1, cards=Cards(("AD",)), points=2),
            make_step(rows["ace-of-dealer"], count=2, cards=Cards(("AC",)), points=6),
            make_step(rows["cards-of-dealer"], count=4, cards=Cards(("2D",)), points=1),
            make_step(rows["cards-of-dealer"], count=5, cards=Cards(("AS",)), points=7),
        ]
        assert steps[5:] == [
            make_step(fire_blaze_bonus.REACHED, points=16, level=LevelName("major")),
            make_step(fire_blaze_bonus.CELLS, cells=CellValues((2, 1, 1, 1, 1, 1, 5)), sum=12),
            make_step(fire_blaze_bonus.TOTAL, rule="bonus-won", factor=Factor(Odds(12, 1))),
            make_step(
                fire_blaze_bonus.PAYS,
                cash=1200,
                stake=Money(100),
                multiplier=12,
                payout=Money(1200),
            ),
        ]

    def test_lists_boosts_and_the_golden_chip(self) -> None:
        """Section 1 is worth 7 and boosted threefold: 14 more. 26 times 1.00, less the chip."""
        golden = bet("mega_fire_blaze", stake=100, golden=True)

        steps = steps_of(
            self.SIXTEEN,
            golden,
            bet(),
            rules=MEGA_FIRE_BLAZE,
            bonus=bonus("major", "26", *self.GRID, specials=(("1", "boost", "3"),)),
        )

        assert make_step(fire_blaze_bonus.BOOSTED, section=1, times=3, adds=14) in steps
        assert steps[-2:] == [
            make_step(
                fire_blaze_bonus.PAYS_LESS_CHIP,
                cash=2500,
                stake=Money(100),
                multiplier=26,
                payout=Money(2500),
            ),
            make_step(money.CHIP_STAYS, rule="golden-chip", stake=Money(100)),
        ]

    def test_lists_boxes_of_fourteen_stars_and_boosts(self) -> None:
        """2 + 4 of the boxes and 2 + 6 of the Aces are 14: mini, of two sections."""
        fives = " ".join(f"{cell}:5" for cell in range(1, 13))
        grid = bonus("mini", "110", fives, specials=(("1", "star", "20"), ("2", "boost", "2")))

        steps = steps_of(
            "1:TH 2:9S D:AD 1:4C 2:5H D:AC D:6C",
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
            bonus=grid,
        )

        rows = fire_blaze_bonus.ROWS
        assert steps[1:3] == [
            make_step(rows["fourteen"], box=1, cards=Cards(("TH", "4C")), points=2),
            make_step(rows["fourteen"], box=2, cards=Cards(("9S", "5H")), points=4),
        ]
        # Twelve fives are 60; the star adds 20, section 2 once more its 30.
        assert make_step(fire_blaze_bonus.STARRED, section=1, adds=20) in steps
        assert make_step(fire_blaze_bonus.BOOSTED, section=2, times=2, adds=30) in steps

    def test_counts_only_the_first_two_cards_of_a_box(self) -> None:
        """Box 1 is dealt 14 and draws a seven; with box 2 these are 2 + 4 points."""
        steps = steps_of(
            f"{SIX_POINTS} 1:7H",
            bet("mega_fire_blaze", stake=100),
            bet(play="H"),
            rules=MEGA_FIRE_BLAZE,
            bonus=bonus("minor", "2", "1:2", "", "", ""),
        )

        row = fire_blaze_bonus.ROWS["fourteen"]
        assert steps[1:4] == [
            make_step(row, box=1, cards=Cards(("8S", "6C")), points=2),
            make_step(row, box=2, cards=Cards(("8C", "6D")), points=4),
            make_step(fire_blaze_bonus.REACHED, points=6, level=LevelName("minor")),
        ]

    def test_of_exactly_the_maximum_prize_is_not_reduced(self) -> None:
        """Six twos, doubled by the boost, are the 24 that a minor pays at most."""
        twos = " ".join(f"{cell}:2" for cell in range(1, 7))

        steps = steps_of(
            SIX_POINTS,
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
            bonus=bonus("minor", "24", twos, specials=(("1", "boost", "2"),)),
        )

        assert fire_blaze_bonus.CAPPED not in sentences(steps)
        assert steps[-1].cash_cents == 2400

    def test_names_the_maximum_prize(self) -> None:
        """Eighteen tens are 180, each section three times: 540; a major pays 400 at most."""
        tens = " ".join(f"{cell}:10" for cell in range(1, 19))
        boosts = tuple((section, "boost", "3") for section in "123")

        steps = steps_of(
            self.SIXTEEN,
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
            bonus=bonus("major", "400", tens, specials=boosts),
        )

        assert make_step(fire_blaze_bonus.CAPPED, sum=540, most=400) in steps
        assert steps[-1].cash_cents == 40_000

    def test_below_five_points_loses(self) -> None:
        """An Ace of the dealer: 2."""
        steps = steps_of(
            "1:TH 2:9S D:AD 1:9C 2:8H D:9C",
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
        )

        assert steps[-2:] == [
            make_step(fire_blaze_bonus.NOT_REACHED, rule="bonus-not-reached", points=2, needed=5),
            make_step(money.STAKE_LOST, staked=Money(100)),
        ]

    def test_without_points_names_the_lack_of_points(self) -> None:
        """No Ace, no 14, two cards."""
        steps = steps_of(
            "1:TH 2:9S D:9D 1:9C 2:8H D:9C",
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
        )

        assert make_step(fire_blaze_bonus.NO_POINTS) in steps

    def test_of_a_bonus_not_played_after_a_malfunction_is_void(self) -> None:
        """[MFB] Gestione degli errori."""
        steps = steps_of(
            self.SIXTEEN,
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
            malfunction=True,
        )

        assert steps[-2:] == [
            make_step(void.BONUS_BROKE_DOWN, rule="void-bonus-not-played"),
            make_step(money.STAKE_RETURNED, cash=100, staked=Money(100)),
        ]
        assert len(steps) == 7
