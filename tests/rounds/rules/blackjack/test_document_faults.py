"""Documents rejected by every blackjack game (contract, details 9 and 40)."""

import pytest

from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Bet
from rounds.rules.rule_set import DocumentFault
from tests.rounds.rules.dealing import (
    BACCARAT,
    BLACKJACK,
    ENDED_AT,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    bet,
    dealt,
    side,
)

FAMILY = (BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT)


def fault_of(rules: str, *bets: Bet) -> DocumentFault | None:
    """The fault for which the rule set rejects a round of these bets."""
    return rule_set(rules).find_document_fault(dealt("", *bets, rules=rules))


class TestASecondBet:
    """A second bet of one player on one box."""

    @pytest.mark.parametrize("rules", FAMILY)
    def test_is_rejected_if_it_is_a_main_bet(self, rules: str) -> None:
        """If both count."""
        fault = fault_of(rules, bet(), bet(id="b2"))

        assert fault is not None
        assert fault.field == "bets[1]"
        assert fault.found == "a second main bet of 'p-1' on box 1"

    @pytest.mark.parametrize("rules", FAMILY)
    def test_is_rejected_if_it_is_an_insurance(self, rules: str) -> None:
        """If both are in time."""
        fault = fault_of(rules, bet(), bet("insurance"), bet("insurance", id="i2"))

        assert fault is not None
        assert fault.field == "bets[2]"

    @pytest.mark.parametrize("rules", FAMILY)
    def test_is_accepted_if_one_of_them_is_void(self, rules: str) -> None:
        """A late main bet and one in time; a late insurance and one in time."""
        assert fault_of(rules, bet(id="late", placed_at=ENDED_AT), bet()) is None
        late = bet("insurance", id="i2", placed_at=ENDED_AT + 1)
        assert fault_of(rules, bet(), bet("insurance"), late) is None

    @pytest.mark.parametrize("rules", FAMILY)
    def test_is_accepted_on_another_box(self, rules: str) -> None:
        """A player may have several boxes."""
        assert fault_of(rules, bet(), bet(box=2), bet("insurance"), bet("insurance", box=2)) is None

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_is_accepted_of_another_player(self, rules: str) -> None:
        """Mega Fire Blaze and Quantum share boxes."""
        assert fault_of(rules, bet(), bet(id="b2", player="p-2")) is None

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM])
    def test_is_accepted_if_it_is_a_side_bet(self, rules: str) -> None:
        """Side bets may repeat."""
        assert fault_of(rules, bet(), bet("21+3"), bet("21+3", id="s2")) is None

    def test_is_rejected_behind_the_same_owner(self) -> None:
        """Two bets behind by one player on one box; one behind the own hand is void."""
        behind = [bet(id=f"b{n}", player="p-2", behind=True) for n in (2, 3)]
        own = bet(id="b2", behind=True)

        assert fault_of(BLACKJACK, bet(), *behind) is not None
        assert fault_of(BLACKJACK, bet(), own) is None  # void: behind one's own hand

    def test_is_accepted_at_baccarat(self) -> None:
        """Every bet may repeat."""
        assert fault_of(BACCARAT, side("player"), side("player", id="b2")) is None


class TestABox:
    """A box at blackjack: one owner, any number of bets behind."""

    @pytest.mark.parametrize(("owner", "other"), [("p-1", "p-2"), ("p-2", "p-1")])
    def test_with_two_owners_is_rejected(self, owner: str, other: str) -> None:
        """Two players cannot play the same hand; the first in the feed is its owner."""
        fault = fault_of(BLACKJACK, bet(player=owner), bet(id="b2", player=other))

        assert fault == DocumentFault(
            "bets[1].player", f"'{other}' on box 1, which is '{owner}''s", "one owner a box"
        )

    def test_with_an_owner_and_a_void_second_owner_is_accepted(self) -> None:
        """Contract, detail 18."""
        late = bet(id="b2", player="p-2", placed_at=ENDED_AT)

        assert fault_of(BLACKJACK, bet(), late) is None

    def test_with_bets_behind_is_accepted(self) -> None:
        """Of seven players."""
        behind = [bet(id=f"b{n}", player=f"p-{n}", behind=True) for n in range(2, 9)]

        assert fault_of(BLACKJACK, bet(), *behind) is None

    def test_with_an_insured_bet_behind_is_accepted(self) -> None:
        """[BJ] Puntata alle Spalle: the insurance is the bettor's own and makes no second owner."""
        behind = bet(id="b2", player="p-2", behind=True)
        insurance = bet("insurance", player="p-2", stake=500)

        assert fault_of(BLACKJACK, bet(), behind, insurance) is None


class TestAZappitRound:
    """[ZAP] Istruzioni di gioco: one player."""

    @pytest.mark.parametrize(
        "other", [bet(id="b2", box=2, player="p-2"), bet("insurance", player="p-2")]
    )
    def test_with_two_players_is_rejected(self, other: Bet) -> None:
        """On another box, or with an insurance."""
        fault = fault_of(ZAPPIT, bet(), other)

        assert fault == DocumentFault("bets[1].player", "'p-2' beside 'p-1'", "one player a round")

    def test_with_the_players_in_another_order_is_rejected(self) -> None:
        """The second player in the feed is one too many."""
        fault = fault_of(ZAPPIT, bet(player="p-2"), bet(box=2))

        assert fault == DocumentFault("bets[1].player", "'p-1' beside 'p-2'", "one player a round")

    def test_with_a_void_bet_of_another_player_is_accepted(self) -> None:
        """Contract, detail 18."""
        late = bet(id="b2", box=2, player="p-2", placed_at=ENDED_AT)

        assert fault_of(ZAPPIT, bet(), late) is None

    def test_with_three_boxes_of_one_player_is_accepted(self) -> None:
        """The maximum of the table; no bet at all is accepted too."""
        assert fault_of(ZAPPIT, bet(), bet(box=2), bet(box=3)) is None
        assert fault_of(ZAPPIT) is None


class TestAnInsuredGoldenChip:
    """Contract, detail 40, and [MFB] Assicurazione."""

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_is_rejected(self, rules: str) -> None:
        """At any time of the main bet."""
        golden = bet(golden=True)
        late = golden._replace(placed_at=ENDED_AT)

        for main in (golden, late):
            fault = fault_of(rules, main, bet("insurance", stake=500))
            assert fault == DocumentFault(
                "bets[1]",
                "insurance of a golden chip on box 1",
                "insurance of cash bets only",
            )

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_is_rejected_by_the_funding_of_the_main_bet(self, rules: str) -> None:
        """A void chip with a pair bet in cash, and the reverse."""
        chip, cash = bet(golden=True, placed_at=ENDED_AT), bet(placed_at=ENDED_AT)
        pair = bet("player_pair", stake=100)
        insurance = bet("insurance", stake=500)

        assert fault_of(rules, chip, pair, insurance) is not None
        assert fault_of(rules, cash, pair._replace(golden=True), insurance) is None

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_does_not_include_an_insured_cash_bet(self, rules: str) -> None:
        """Next to another player's chip, a chip on another box, and a void chip."""
        others = (
            bet(id="b2", player="p-2", golden=True),
            bet(id="b3", box=2, golden=True),
            bet(id="b4", golden=True, placed_at=ENDED_AT),
        )

        assert fault_of(rules, *others, bet(), bet("insurance", stake=500)) is None

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_requires_a_main_bet(self, rules: str) -> None:
        """Insurance alone is an anomaly, not a rejected document."""
        assert fault_of(rules, bet("insurance", stake=500)) is None
