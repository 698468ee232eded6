"""Side bets: the combinations and their payouts, and the returns over all cards."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import perm, prod

import pytest

from rounds.rules.blackjack.side_bet_pays import PAIRS_PAY, THREE_CARDS_PAY
from rounds.rules.blackjack.side_bets import combination_of, pair_of
from rounds.rules.cards import CARDS
from rounds.rules.odds import Odds
from tests.rounds.rules.dealing import BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, bet, grades


class TestPairs:
    """[BJ] Coppie Perfette, [MFB] Puntate collaterali; R for [QB]."""

    @pytest.mark.parametrize(
        ("pair", "name"),
        [
            ("8S 8S", "perfect-pair"),
            ("8H 8D", "coloured-pair"),
            ("8S 8C", "coloured-pair"),
            ("8S 8H", "mixed-pair"),
            ("8D 8C", "mixed-pair"),
            ("KS QS", "no-pair"),
            ("TS JS", "no-pair"),
            ("AS AS", "perfect-pair"),
        ],
    )
    def test_are_of_one_rank_not_of_one_value(self, pair: str, name: str) -> None:
        """King and queen are no pair."""
        assert pair_of(*pair.split()) == name

    @pytest.mark.parametrize(
        ("decks", "declared"), [(8, Fraction(398, 415)), (6, Fraction(292, 311))]
    )
    def test_return_the_declared_share(self, decks: int, declared: Fraction) -> None:
        """Readings: 95.90 % with eight decks, 93.89 % with six, over all two cards."""
        counted = expectation(decks, 2, lambda two: PAIRS_PAY.get(pair_of(two[0], two[1])))

        assert counted == declared

    @pytest.mark.parametrize(
        ("rules", "kind"),
        [(BLACKJACK, "perfect_pairs"), (MEGA_FIRE_BLAZE, "player_pair"), (QUANTUM, "player_pair")],
    )
    @pytest.mark.parametrize(
        ("second", "payout"), [("8S", 2600), ("8C", 1300), ("8H", 700), ("9S", 0)]
    )
    def test_of_the_box_are_its_first_two_cards(
        self, rules: str, kind: str, second: str, payout: int
    ) -> None:
        """25:1, 12:1, 6:1; the third card is ignored."""
        text = f"1:8S 2:9C D:TD 1:{second} 2:9D D:8C 1:8S"
        bets = bet(play="H"), bet(id="b2", player="p-2", box=2), bet(kind, stake=100)

        assert grades(text, *bets, rules=rules)[2].payout_cents == payout

    def test_of_the_dealer_are_upcard_and_hole_card(self) -> None:
        """R: [MFB] names the bet among the returns; the box has no pair."""
        text = "1:9S 2:9C D:9D 1:TC 2:8S D:9H"

        _, pair, box = grades(
            text, bet(), bet("dealer_pair"), bet("player_pair"), rules=MEGA_FIRE_BLAZE
        )

        assert (pair.payout_cents, pair.reasons) == (13000, ("coloured-pair",))
        assert box.payout_cents == 0


class TestThreeCards:
    """[BJ] 21+3, [MFB] Puntate collaterali, [QB] 21+3."""

    @pytest.mark.parametrize(
        ("three", "name"),
        [
            ("QH QH QH", "suited-trips"),
            ("TS JS QS", "straight-flush"),
            ("QS AS KS", "straight-flush"),
            ("AS 2S 3S", "straight-flush"),
            ("KS AS 2S", "flush"),  # an Ace is never in between
            ("KH KS KD", "trips"),
            ("QH QH QD", "trips"),
            ("2S 3C 4H", "straight"),
            ("4H 2S 3C", "straight"),
            ("QS KD AH", "straight"),
            ("AS 2D 3H", "straight"),
            ("KS AD 2H", "no-combination"),
            ("2C 6C TC", "flush"),
            ("2C 2C 6C", "flush"),
            ("2C 2D 6C", "no-combination"),
            ("TS JS KD", "no-combination"),
        ],
    )
    def test_make_the_best_combination_that_applies(self, three: str, name: str) -> None:
        """R: the Ace is low in A-2-3 and high in Q-K-A."""
        first, second, third = three.split()

        assert combination_of(first, second, third) == name

    def test_return_the_declared_share(self) -> None:
        """Readings: 119489/124085 with eight decks (96.30 %), 95.3790 % with six."""
        eight, six = (expectation(decks, 3, pays_three) for decks in (8, 6))

        assert eight == Fraction(119489, 124085)
        assert round(float(100 * six), 4) == 95.3790

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM])
    @pytest.mark.parametrize(
        ("cards", "payout"),
        [
            ("8S 8S 8S", 10100),
            ("8S 9S 7S", 4100),
            ("8S 8C 8H", 3100),
            ("8S 9C 7H", 1100),
            ("8S 3S 9S", 600),
            ("8S 3C 9S", 0),
        ],
    )
    def test_are_the_boxs_first_two_and_the_upcard(
        self, rules: str, cards: str, payout: int
    ) -> None:
        """100:1, 40:1, 30:1, 10:1, 5:1; the hole card is ignored."""
        first, second, upcard = cards.split()
        text = f"1:{first} 2:9C D:{upcard} 1:{second} 2:9D D:TC"
        bets = bet(), bet(id="b2", player="p-2", box=2), bet("21+3", stake=100)

        assert grades(text, *bets, rules=rules)[2].payout_cents == payout

    def test_win_though_the_hand_loses(self) -> None:
        """[BJ] Puntate secondarie: independent of the main bet."""
        main, side = grades("1:8S D:9S 1:TS D:TC", bet(), bet("21+3"))

        assert (main.outcome, side.reasons) == ("lose", ("straight-flush",))


def pays_three(three: tuple[str, ...]) -> Odds | None:
    """The odds of three cards."""
    return THREE_CARDS_PAY.get(combination_of(three[0], three[1], three[2]))


def expectation(
    decks: int, length: int, pays: Callable[[tuple[str, ...]], Odds | None]
) -> Fraction:
    """The average return of one unit over all ordered cards of so many decks."""
    returned = 0
    for drawn in product(CARDS, repeat=length):
        odds = pays(drawn)
        if odds is not None:
            assert odds.staked == 1
            ways = prod(perm(decks, count) for count in Counter(drawn).values())
            returned += ways * (odds.won + 1)
    return Fraction(returned, perm(52 * decks, length))


class TestRepeatedSideBets:
    """Contract, detail 9: side bets may repeat."""

    def test_are_each_graded(self) -> None:
        """Two of one kind by one player on one box."""
        bets = bet(), bet("21+3", id="s1", stake=100), bet("21+3", id="s2", stake=200)

        graded = grades("1:8S D:9S 1:TS D:TC", *bets)

        assert [grade.payout_cents for grade in graded] == [0, 4100, 8200]
