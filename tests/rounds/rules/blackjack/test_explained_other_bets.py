"""What is told of insurance, side bets, the bonus, void bets and lost connections."""

from rounds.rules.blackjack.explained import (
    explain,
    fire_blaze_bonus,
    hand,
    other_bets,
    placing,
    void,
)
from rounds.rules.cards import Total
from rounds.rules.catalogue import rule_set
from rounds.rules.explained import money, reported
from rounds.rules.explained import placing as every_placing
from rounds.rules.explained import void as every_void
from rounds.rules.explained.explanation import (
    BetName,
    Cards,
    CellValues,
    Factor,
    LevelName,
    Moment,
    Money,
    make_step,
)
from rounds.rules.odds import Odds
from rounds.rules.verdict import Grade
from tests.rounds.rules.dealing import (
    AFTER_CLOSING,
    CLOSED_AT,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    OPENED_AT,
    QUANTUM,
    bet,
    bonus,
    dealt,
    left,
)
from tests.rounds.rules.traces import explained, sentences, steps_of

TEN = Money(1000)


class TestInsurance:
    def test_that_wins_is_explained_with_the_two_cards(self) -> None:
        """Half of 10.00 at 2:1: 10.00 and the 5.00 themselves."""
        steps = steps_of("1:TH D:AS 1:8D D:KS", bet("insurance", stake=500), bet())

        assert steps[:2] == [
            make_step(placing.INSURED, stake=Money(500), box=1),
            make_step(other_bets.HALF_OF_STAKE, stake=Money(500), main=TEN),
        ]
        assert steps[3:] == [
            make_step(other_bets.INSURANCE_IS_DUE, rule="insurance-won"),
            make_step(money.WINS, cash=1000, staked=Money(500), odds=Odds(2, 1), winnings=TEN),
            make_step(money.STAKE_BACK, cash=500, staked=Money(500)),
        ]

    def test_that_loses_costs_half_rounded_down(self) -> None:
        """R: half of 0.05 is 0.02."""
        steps = steps_of("1:TH D:AS 1:8D D:9S", bet("insurance", stake=2), bet(stake=5))

        assert steps[1] == make_step(other_bets.HALF_ROUNDED_DOWN, stake=Money(2), main=Money(5))
        assert steps[-2:] == [
            make_step(other_bets.INSURANCE_IS_NOT_DUE, rule="insurance-lost"),
            make_step(money.STAKE_LOST, staked=Money(2)),
        ]


class TestASideBet:
    def test_on_a_pair_names_the_cards_and_the_pair(self) -> None:
        """[BJ] Vincite, Coppie Perfette: 8♥ 8♦ are both red, 12:1."""
        steps = steps_of("1:8H D:9S 1:8D D:9C", bet("perfect_pairs", stake=100), bet())

        assert steps == [
            make_step(
                every_placing.STAKED_ON_BOX, stake=Money(100), bet=BetName("perfect_pairs"), box=1
            ),
            make_step(other_bets.OF_THE_BOX, box=1, cards=Cards(("8H", "8D"))),
            make_step(other_bets.COMBINATIONS["coloured-pair"], rule="coloured-pair"),
            make_step(
                money.WINS, cash=1200, staked=Money(100), odds=Odds(12, 1), winnings=Money(1200)
            ),
            make_step(money.STAKE_BACK, cash=100, staked=Money(100)),
        ]

    def test_on_three_cards_looks_at_the_upcard_too(self) -> None:
        """[BJ] 21+3: 8 7 with an Ace make nothing."""
        steps = steps_of("1:8D D:AH 1:7D D:9C", bet("21+3", stake=100), bet())

        assert steps[1:3] == [
            make_step(other_bets.WITH_THE_UPCARD, box=1, cards=Cards(("8D", "7D", "AH"))),
            make_step(other_bets.COMBINATIONS["no-combination"], rule="no-combination"),
        ]

    def test_on_the_dealers_pair_looks_at_the_dealer(self) -> None:
        """[MFB], with a golden chip, which stays with the house."""
        golden = bet("dealer_pair", stake=100, golden=True)

        steps = steps_of("1:8D 2:9S D:9H 1:7D 2:5C D:9H", golden, bet(), rules=MEGA_FIRE_BLAZE)

        assert steps == [
            make_step(
                every_placing.STAKED_CHIP_ON_BOX,
                stake=Money(100),
                bet=BetName("dealer_pair"),
                box=1,
            ),
            make_step(other_bets.OF_THE_DEALER, box=1, cards=Cards(("9H", "9H"))),
            make_step(other_bets.COMBINATIONS["perfect-pair"], rule="perfect-pair"),
            make_step(
                money.WINS, cash=2500, staked=Money(100), odds=Odds(25, 1), winnings=Money(2500)
            ),
            make_step(money.CHIP_STAYS, rule="golden-chip", stake=Money(100)),
        ]


class TestTheBonusBet:
    """[MFB] Fire Blaze: the sheet's own example, 2 + 6 + 1 + 7 = 16 points."""

    # The dealer's A A 2 2 A: two Aces, a fourth and a fifth card, 17 at last.
    SIXTEEN = "1:TH 2:9S D:AD 1:9C 2:8H D:AC D:2C D:2D D:AS"
    # Two sections of cells: 1 to 6 are section 1, all ones but the first.
    GRID = ("1:2 2:1 3:1", "4:1 5:1 6:1 7:5", "", "", "")

    def test_tells_every_row_of_points(self) -> None:
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

    def test_tells_boosts_and_stars_and_a_golden_chip(self) -> None:
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

    def test_tells_the_boxes_that_total_fourteen_and_a_star(self) -> None:
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

    def test_tells_the_highest_prize(self) -> None:
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

    def test_without_any_points_says_so(self) -> None:
        """No Ace, no 14, two cards."""
        steps = steps_of(
            "1:TH 2:9S D:9D 1:9C 2:8H D:9C",
            bet("mega_fire_blaze", stake=100),
            bet(),
            rules=MEGA_FIRE_BLAZE,
        )

        assert make_step(fire_blaze_bonus.NO_POINTS) in steps

    def test_that_a_malfunction_kept_from_being_played_is_void_with_its_points(self) -> None:
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


class TestAVoidBet:
    TEXT = "1:TH D:9S 1:8D D:9C"

    def test_out_of_time_tells_both_times(self) -> None:
        """Detail 15: a millisecond late, and one early."""
        late, early = (
            steps_of(self.TEXT, bet(placed_at=at), bet(player="p-2", id="2"))[1:]
            for at in (CLOSED_AT + 1, OPENED_AT - 1)
        )

        returned = make_step(money.STAKE_RETURNED, cash=1000, staked=TEN)
        assert late == [
            make_step(
                every_void.TOO_LATE,
                rule="void-out-of-time",
                placed=Moment(CLOSED_AT + 1),
                closed=Moment(CLOSED_AT),
            ),
            returned,
        ]
        assert early == [
            make_step(
                every_void.TOO_EARLY,
                rule="void-out-of-time",
                placed=Moment(OPENED_AT - 1),
                opened=Moment(OPENED_AT),
            ),
            returned,
        ]

    def test_of_insurance_tells_when_it_could_be_taken(self) -> None:
        """Detail 16."""
        late = bet("insurance", stake=500, placed_at=ENDED_AT + 1)

        steps = steps_of("1:TH D:AS 1:8D D:9C", late, bet())

        assert steps[1] == make_step(
            void.INSURED_OUT_OF_TIME,
            rule="void-out-of-time",
            placed=Moment(ENDED_AT + 1),
            closed=Moment(CLOSED_AT),
            ended=Moment(ENDED_AT),
        )

    def test_behind_nobody_and_behind_oneself(self) -> None:
        """[BJ] Puntata alle Spalle."""
        nobody = bet(box=2, behind=True)
        oneself = bet(id="own", behind=True)

        without, own, _main = explained(self.TEXT, nobody, oneself, bet(id="main"))

        assert without.steps[1] == make_step(void.NOBODY_PLAYED, rule="void-without-owner", box=2)
        assert own.steps[1] == make_step(void.OWN_HAND, rule="void-on-own-box", box=1)

    def test_with_its_main_bet(self) -> None:
        """Detail 17."""
        steps = steps_of(
            self.TEXT,
            bet("perfect_pairs"),
            bet(placed_at=CLOSED_AT + 1),
            bet(player="p-2", id="2"),
        )

        assert steps[1] == make_step(void.MAIN_DID_NOT_COUNT, rule="void-with-main-bet", box=1)

    def test_of_a_player_who_had_left_tells_when(self) -> None:
        """Detail 15; the raise goes back as well, a golden chip as a chip."""
        gone = bet(golden=True, play="D", raised_cents=1000)

        steps = steps_of(
            "1:6H D:9S 1:5D D:9C",
            gone,
            bet(player="p-2", id="2"),
            rules=QUANTUM,
            disconnects=(left(at=CLOSED_AT - 1),),
        )

        assert steps[1:] == [
            make_step(
                every_void.LEFT_BEFORE,
                rule="void-disconnected",
                left=Moment(CLOSED_AT - 1),
                closed=Moment(CLOSED_AT),
            ),
            make_step(money.CHIP_RETURNED, chips=1000, stake=TEN),
            make_step(every_void.RAISE_RETURNED, cash=1000, raised=TEN),
        ]

    def test_of_a_round_that_broke_down(self) -> None:
        """[BJ] Gestione degli errori: no card is looked at."""
        steps = steps_of("1:TH", bet(reported_cents=1), malfunction=True)

        assert steps[1:] == [
            make_step(every_void.CANCELLED, rule="void-malfunction"),
            make_step(money.STAKE_RETURNED, cash=1000, staked=TEN),
        ]


class TestALostConnection:
    def test_after_closing_leaves_the_bet_to_the_table(self) -> None:
        """[BJ] Politica sulle Disconnessioni."""
        steps = steps_of("1:TH D:9S 1:8D D:9C", bet(), disconnects=(left(),))

        assert steps[1] == make_step(
            explain.LEFT_AFTER_CLOSING, left=Moment(AFTER_CLOSING), closed=Moment(CLOSED_AT)
        )

    def test_with_a_hand_finished_off_line_tells_its_cards(self) -> None:
        """Detail 42: two cards were seen, the others are the player's own."""
        gone = left(seen=2, own="1:7D D:8C")

        steps = steps_of("1:TH D:9S 1:8D D:9C", bet(), rules=QUANTUM, disconnects=(gone,))

        assert steps[1:3] == [
            make_step(
                explain.FINISHED_OFF_LINE,
                left=Moment(AFTER_CLOSING),
                closed=Moment(CLOSED_AT),
                next=3,
                cards=Cards(("7D", "8C")),
            ),
            make_step(
                hand.OPENED, box=1, cards=Cards(("TH", "7D")), total=Total(17, is_soft=False)
            ),
        ]

    def test_leaves_side_bets_to_the_live_cards(self) -> None:
        """Contract, "A player who lost the connection"."""
        gone = left(seen=2, own="1:7D D:8C")

        steps = steps_of(
            "1:TH D:9S 1:8D D:9C",
            bet("player_pair"),
            bet(),
            rules=QUANTUM,
            disconnects=(gone,),
        )

        assert sentences(steps)[1] == explain.LEFT_AFTER_CLOSING
        assert steps[2].values["cards"] == Cards(("TH", "8D"))


class TestAPayoutThatTheStudioReportedOtherwise:
    def test_is_named_beside_the_computed_one(self) -> None:
        """10.00 on 20 against 18 pays 20.00; the studio said 19.99."""
        round_ = dealt("1:TH D:9S 1:TD D:9C", bet(reported_cents=1999))
        grade = Grade("win", 2000, 0, ("win",))

        (why,) = rule_set(round_.rules).explain(round_, [(round_.bets[0], grade)])

        assert why.adds_up
        assert why.steps[-1] == make_step(
            reported.REPORTED, reported=Money(1999), payout=Money(2000)
        )
