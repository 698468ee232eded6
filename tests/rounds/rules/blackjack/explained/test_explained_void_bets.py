"""The explanation of void bets and lost connections."""

from rounds.rules.blackjack.explained import explain, hand, placing, void
from rounds.rules.cards import Total
from rounds.rules.catalogue import rule_set
from rounds.rules.explained import money
from rounds.rules.explained import void as every_void
from rounds.rules.explained.explanation import Cards, Moment, make_step
from rounds.rules.verdict import void_grade
from rounds.rules.void import REFUNDED
from tests.rounds.rules.blackjack.explained.explained_values import TEN
from tests.rounds.rules.dealing import (
    AFTER_CLOSING,
    CLOSED_AT,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    OPENED_AT,
    QUANTUM,
    bet,
    dealt,
    left,
)
from tests.rounds.rules.traces import explained, sentences, steps_of


class TestAVoidBet:
    TEXT = "1:TH D:9S 1:8D D:9C"

    def test_out_of_time_names_both_times(self) -> None:
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

    def test_on_the_side_out_of_time_names_the_betting_time(self) -> None:
        """Detail 15: no insurance time."""
        late = bet("21+3", placed_at=CLOSED_AT + 1)

        steps = steps_of(self.TEXT, late, bet())

        assert steps[1].text == every_void.TOO_LATE

    def test_at_mega_fire_blaze_does_not_list_its_points(self) -> None:
        """Points concern a bonus that was not played, no other void bet."""
        late = bet(placed_at=CLOSED_AT + 1)

        steps = steps_of("1:TH 2:9S D:9D 1:8D 2:8H D:9C", late, rules=MEGA_FIRE_BLAZE)

        assert sentences(steps) == [placing.STAKED, every_void.TOO_LATE, money.STAKE_RETURNED]

    def test_refunded_by_decision_names_the_decision(self) -> None:
        """At Mega Fire Blaze too without points or bonus."""
        refunded = bet()
        round_ = dealt("1:TH 2:9S D:9D 1:8D 2:8H D:9C", refunded, rules=MEGA_FIRE_BLAZE)

        (why,) = rule_set(round_.rules).explain(
            round_, [(refunded, void_grade(refunded, REFUNDED))]
        )

        assert sentences([*why.steps]) == [
            placing.STAKED,
            every_void.GIVEN_BACK,
            money.STAKE_RETURNED,
        ]

    def test_of_insurance_names_the_insurance_time(self) -> None:
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

    def test_behind_no_owner_or_the_own_hand_names_the_reason(self) -> None:
        """[BJ] Puntata alle Spalle."""
        nobody = bet(box=2, behind=True)
        oneself = bet(id="own", behind=True)

        without, own, _main = explained(self.TEXT, nobody, oneself, bet(id="main"))

        assert without.steps[1] == make_step(void.NOBODY_PLAYED, rule="void-without-owner", box=2)
        assert own.steps[1] == make_step(void.OWN_HAND, rule="void-on-own-box", box=1)

    def test_with_its_main_bet_names_the_reason(self) -> None:
        """Detail 17."""
        steps = steps_of(
            self.TEXT,
            bet("perfect_pairs"),
            bet(placed_at=CLOSED_AT + 1),
            bet(player="p-2", id="2"),
        )

        assert steps[1] == make_step(void.MAIN_DID_NOT_COUNT, rule="void-with-main-bet", box=1)

    def test_of_a_disconnected_player_names_the_time(self) -> None:
        """Detail 15; the raise goes back as well, a golden chip as a chip."""
        left_bet = bet(golden=True, play="D", raised_cents=1000)

        steps = steps_of(
            "1:6H D:9S 1:5D D:9C",
            left_bet,
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

    def test_of_a_disconnected_player_does_not_name_the_time_of_another(self) -> None:
        """Two others left before, one of each side of the alphabet."""
        others = [left(name, at=CLOSED_AT - 9) for name in ("p-0", "p-2")]

        steps = steps_of(
            self.TEXT,
            bet(),
            bet(player="p-3", id="3"),
            disconnects=(*others, left(at=CLOSED_AT - 1)),
        )

        assert steps[1].values["left"] == Moment(CLOSED_AT - 1)

    def test_of_a_malfunction_names_the_reason(self) -> None:
        """[BJ] Gestione degli errori: no card is mentioned."""
        steps = steps_of("1:TH", bet(reported_cents=1), malfunction=True)

        assert steps[1:] == [
            make_step(every_void.CANCELLED, rule="void-malfunction"),
            make_step(money.STAKE_RETURNED, cash=1000, staked=TEN),
        ]


class TestALostConnection:
    def test_after_closing_leaves_the_bet_on_the_live_cards(self) -> None:
        """[BJ] Politica sulle Disconnessioni."""
        steps = steps_of("1:TH D:9S 1:8D D:9C", bet(), disconnects=(left(),))

        assert steps[1] == make_step(
            explain.LEFT_AFTER_CLOSING, left=Moment(AFTER_CLOSING), closed=Moment(CLOSED_AT)
        )

    def test_with_a_hand_finished_off_line_names_its_cards(self) -> None:
        """Detail 42: two cards were seen, the others are the player's own."""
        disconnect = left(seen=2, own="1:7D D:8C")

        steps = steps_of("1:TH D:9S 1:8D D:9C", bet(), rules=QUANTUM, disconnects=(disconnect,))

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

    def test_before_the_first_card_counts_from_it(self) -> None:
        """No live card was seen; all four cards are the player's own."""
        disconnect = left(seen=0, own="1:9S D:TH 1:TC D:7H")

        steps = steps_of("1:2S D:TD 1:8H D:8C", bet(), rules=QUANTUM, disconnects=(disconnect,))

        assert steps[1].values["next"] == 1
        assert steps[1].values["cards"] == Cards(("9S", "TH", "TC", "7H"))

    def test_names_the_cards_of_the_own_box_and_the_dealer_only(self) -> None:
        """Detail 42: boxes 1 and 3 are others', five live cards were seen, the eights are split."""
        others = [bet(id=f"other-{box}", player="p-2", box=box) for box in (1, 3)]
        disconnect = left(seen=5, own="2:8S 3:2C D:7S 2a:TC 1:3D 2b:AC")

        steps = steps_of(
            "1:9S 2:8H 3:9C D:TD 1:9H 2:8D 3:9D D:8C",
            bet(box=2, play="P,", raised_cents=1000),
            *others,
            rules=QUANTUM,
            disconnects=(disconnect,),
        )

        assert steps[1].values["next"] == 6
        assert steps[1].values["cards"] == Cards(("8S", "7S", "TC", "AC"))

    def test_leaves_side_bets_on_the_live_cards(self) -> None:
        """Contract, "A player who lost the connection"."""
        disconnect = left(seen=2, own="1:7D D:8C")

        steps = steps_of(
            "1:TH D:9S 1:8D D:9C",
            bet("player_pair"),
            bet(),
            rules=QUANTUM,
            disconnects=(disconnect,),
        )

        assert sentences(steps)[1] == explain.LEFT_AFTER_CLOSING
        assert steps[2].values["cards"] == Cards(("TH", "8D"))
