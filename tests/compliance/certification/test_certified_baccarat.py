"""Certified returns of baccarat, against published counts and house edges."""

from collections import Counter
from fractions import Fraction
from math import perm

import pytest

from compliance.certification.returns.baccarat import (
    baccarat_returns,
    coup_bet_return,
    deals_by_coup,
)
from compliance.certification.returns.exact_returns import BetReturn, percent_text
from rounds.rules.baccarat.bets import banker_wins, player_wins
from rounds.rules.baccarat.game import BACCARAT_1, GAME

PUBLISHED = {
    8: (2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216),
    6: (403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288),
}
"""Banker, Player, tie in ordered deals of six cards, by decks: Wizard of Odds, "Baccarat"
(wizardofodds.com/games/baccarat), as casinoexploit.com/baccarat.html prints the same tables."""


@pytest.fixture(scope="module")
def returns() -> dict[str, BetReturn]:
    """The returns of the rule set by bet kind."""
    return {bet_return.kind: bet_return for bet_return in baccarat_returns(BACCARAT_1.name, GAME)}


class TestTheCoups:
    """All coups are counted, with the code that settles."""

    @pytest.mark.parametrize("decks", PUBLISHED)
    def test_have_the_published_counts(self, decks: int) -> None:
        """Deals that Banker wins, that Player wins, that tie; together all deals of six cards."""
        counts = Counter[str]()
        for coup, deals in deals_by_coup(decks).items():
            winner = "banker" if banker_wins(coup) else "player" if player_wins(coup) else "tie"
            counts[winner] += deals

        assert (counts["banker"], counts["player"], counts["tie"]) == PUBLISHED[decks]
        assert counts.total() == perm(52 * decks, 6)

    def test_of_eight_decks_are_the_published_number(self) -> None:
        """416 times 415 and so on down to 411."""
        assert deals_by_coup(8).total() == 4_998_398_275_503_360


class TestTheReturns:
    """Readings, "Declared returns, recomputed", rows of [BAC]."""

    @pytest.mark.parametrize(
        ("kind", "computed"),
        [
            ("player", "98.7649"),
            ("banker", "98.9421"),
            ("tie", "85.6404"),
            ("player_pair", "89.6386"),
            ("banker_pair", "89.6386"),
            ("either_pair", "86.2901"),
            ("perfect_pair", "86.9706"),
            ("big", "95.6543"),
            ("small", "94.7171"),
        ],
    )
    def test_are_those_of_the_table(
        self, returns: dict[str, BetReturn], kind: str, computed: str
    ) -> None:
        """To the last printed digit."""
        assert percent_text(returns[kind].rtp, places=4) == computed

    def test_are_of_all_bets_that_are_declared(self, returns: dict[str, BetReturn]) -> None:
        """Every bet kind has a return."""
        assert tuple(returns) == BACCARAT_1.bet_kinds

    def test_have_the_published_house_edges(self, returns: dict[str, BetReturn]) -> None:
        """1.2351, 1.0579 and 14.3596 per cent, as casinos publish them for eight decks."""
        edges = [percent_text(1 - returns[kind].rtp, places=4) for kind in BACCARAT_1.bet_kinds[:3]]

        assert edges == ["1.2351", "1.0579", "14.3596"]

    @pytest.mark.parametrize(
        ("kind", "edge"), [("player", "1.2374"), ("banker", "1.0558"), ("tie", "14.4382")]
    )
    def test_of_six_decks_have_the_published_edges(self, kind: str, edge: str) -> None:
        """multiplayerbaccarat.com/odds.html, after Thorp, "The Mathematics of Gambling"."""
        six = coup_bet_return(BACCARAT_1.name, GAME.bets[kind], decks=6)

        assert percent_text(1 - six.rtp, places=4) == edge

    def test_of_pairs_agree_with_arithmetic(self, returns: dict[str, BetReturn]) -> None:
        """31 of 415 cards pair with the first; twelve come back for one."""
        pair = returns["player_pair"]

        assert pair.hit_frequency == Fraction(31, 415)
        assert pair.rtp == Fraction(12 * 31, 415)
        assert pair.variance == 12**2 * Fraction(31, 415) * Fraction(384, 415)

    def test_of_big_and_small_share_every_coup(self, returns: dict[str, BetReturn]) -> None:
        """One of them wins."""
        assert returns["big"].hit_frequency + returns["small"].hit_frequency == 1
