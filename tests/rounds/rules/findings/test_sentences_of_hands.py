"""The findings of hands at blackjack: no fault twice, and none of what others explain."""

from typing import Any

import pytest

from tests.rounds.contract.by_hand import AFTER_CLOSING, MFB, QB, Document, bet, left
from tests.rounds.rules.findings.finding_cases import (
    BOTH,
    EIGHTEEN,
    MULTIPLIERS,
    PLAIN,
    findings,
    texts_of,
)


class TestTheDealer:
    def test_without_the_hole_card_lacks_nothing_else(self) -> None:
        """What must be drawn is not known yet."""
        faults = findings("1:9S D:TD 1:9C", PLAIN)

        assert texts_of(faults) == [
            "The dealer received 1 cards; the dealer receives 2 before the plays."
        ]

    def test_who_began_to_draw_has_to_go_on(self) -> None:
        """Contract, detail 25: the only hand is bust, and no draw would have been right, too."""
        bust = bet("b1", play="H")

        faults = findings("1:TS D:9D 1:6C D:4C 1:TH D:2C", bust)

        assert texts_of(faults) == [
            "The dealer has 15 and must draw up to 17; the next card is missing."
        ]
        assert faults[0].lacks == "D"


class TestAnExtraCard:
    def test_at_a_place_of_another_game_is_found(self) -> None:
        """Player and Banker are hands of baccarat."""
        faults = findings(f"{EIGHTEEN} P:2C", PLAIN)

        assert texts_of(faults) == [
            "2♣ was dealt to Player, where no bet or play requires a card (needed: 0)."
        ]

    def test_out_of_order_is_the_first_one_only(self) -> None:
        """Both the second box and the dealer receive their second card after box 1 has played."""
        first, second = bet("b1", play="H"), bet("b2", player="p-2", box=2)

        faults = findings("1:5S 2:9H D:TD 1:6C 1:2C 2:8D D:8C", first, second)

        [words] = texts_of(faults)
        assert words == (
            "8♦ was dealt to Box 2 as card 6, after play had begun; the first 2 cards of every hand"
            " come first."
        )
        assert faults[0].cards == (5,)

    def test_at_a_box_with_side_bets_alone_is_not_out_of_order(self) -> None:
        """The box is not in use, so nothing has an order there."""
        side_bets = [
            bet("b2", "21+3", "1.00", box=2),
            bet("b3", "perfect_pairs", "1.00", box=2),
        ]

        faults = findings("2:9H 1:9S D:TD 1:9C D:8C", PLAIN, *side_bets)

        assert texts_of(faults) == [
            "9♥ was dealt to Box 2, where no bet or play requires a card (needed: 0).",
            "21+3 on box 2, where the player has 0 main bets; it requires 1.",
            "Perfect Pairs on box 2, where the player has 0 main bets; it requires 1.",
        ]


class TestAnIllegalDecision:
    @pytest.mark.parametrize(
        ("text", "played", "card"),
        [
            (f"{EIGHTEEN} 1:2C 1:3C", bet("b1", play="SHH"), 4),
            (
                "1:AS D:TD 1:AH D:8C 1a:5S 1b:6S 1a:7C",
                bet("b1", play="PH,", raised="10.00"),
                6,
            ),
        ],
    )
    def test_is_shown_with_the_card_that_it_drew(
        self, text: str, played: Document, card: int
    ) -> None:
        """Not with the next one, and not with the card of a split hand that the rules deal."""
        [fault] = findings(text, played)

        assert (fault.code, fault.cards, fault.bets) == ("illegal-play", (card,), (0,))

    def test_names_the_first_fifty_bets_of_a_crowd(self) -> None:
        """At Quantum everybody at a box who plays alike has the same hand."""
        crowd = [bet(f"b{n}", player=f"p-{n}", play="SH") for n in range(51)]

        [fault] = findings(f"{EIGHTEEN} 1:2C", *crowd, rules=QB, multipliers=MULTIPLIERS)

        assert fault.bets == tuple(range(50))

    def test_of_a_void_bet_is_none(self) -> None:
        """p-2 was late, and nobody plays a hand for it."""
        counting = bet("b1", raised="1.00")
        late = bet("b2", player="p-2", play="SH", placed_at=AFTER_CLOSING)

        faults = findings(BOTH, counting, late, rules=MFB)

        assert [(fault.code, fault.bets) for fault in faults] == [("raise-mismatch", (0,))]


def test_a_malfunction_does_not_hide_the_faults_of_complete_cards() -> None:
    """[MFB] Gestione degli errori: what was dealt is paid, so the raise has to be right."""
    faults = findings(BOTH, bet("b1", raised="1.00"), rules=MFB, incident="malfunction")

    assert [fault.code for fault in faults] == ["raise-mismatch"]


class TestAHandFinishedOffLine:
    """Contract, detail 42, with players of Mega Fire Blaze."""

    def test_explains_the_live_cards_of_its_play(self) -> None:
        """p-1 had hit before the connection was lost; only the raise of p-2 is wrong."""
        bets = bet("b1", play="HH"), bet("b2", player="p-2", box=2, raised="1.00")

        faults = findings(
            "1:9S 2:9H D:TD 1:4C 2:9D D:8C 1:2C",
            *bets,
            rules=MFB,
            disconnects=[left(seen=7, own="1:3C")],
        )

        assert [(fault.code, fault.bets) for fault in faults] == [("raise-mismatch", (1,))]

    def test_has_the_faults_of_its_own_player(self) -> None:
        """Both hit after they stood."""
        bets = bet("b1", play="SH"), bet("b2", player="p-2", box=2, play="SH")
        disconnects = [left(seen=6, own="1:2C"), left(seen=6, own="2:2C", who="p-2")]

        faults = findings(BOTH, *bets, rules=MFB, disconnects=disconnects)

        assert [(fault.code, fault.player, fault.bets) for fault in faults] == [
            ("illegal-play", "p-1", (0,)),
            ("illegal-play", "p-2", (1,)),
        ]

    @pytest.mark.parametrize(
        ("text", "disconnect", "cards"),
        [
            (f"{BOTH} D:2C", left(seen=7, own="D:3C D:4C"), (6,)),
            (BOTH, left(seen=0, own="3z:2C 1:9S D:TD 1:9C D:8C"), ()),
        ],
    )
    def test_marks_only_cards_of_the_live_round(
        self, text: str, disconnect: dict[str, Any], cards: tuple[int, ...]
    ) -> None:
        """The others are no cards of the page, though they are found, too."""
        faults = findings(text, PLAIN, rules=MFB, disconnects=[disconnect])

        assert [fault.cards for fault in faults if fault.player == "p-1"] == [cards]
