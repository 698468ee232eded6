"""CONTRIBUTING, "A game", followed with a toy game and a second version.

Both are declared in a few lines on an existing engine, form a catalogue with the released rule
sets, and judge rounds to payouts worked out by hand.
"""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from rounds.feed.writing import document_of
from rounds.released_rules.rule_set_seals import AlreadyReleasedError, breaks_of, seal
from rounds.replay import replay_lines
from rounds.rules.baccarat.game import BACCARAT_1
from rounds.rules.blackjack.games.live_blackjack import BLACKJACK_1, GAME
from rounds.rules.blackjack.reasons import BLACKJACK, BUST, LOSE, LOSE_TO_BLACKJACK, WIN, cite
from rounds.rules.blackjack.rule_sets import rule_set_of
from rounds.rules.catalogue import catalogue_of
from rounds.rules.odds import Odds
from rounds.rules.rule_set import RuleSet
from tests.documents import lines
from tests.rounds.rules.dealing import bet, dealt

TOY_1: Final = rule_set_of(
    replace(GAME, decks=1, blackjack_pays=Odds(6, 5), side_bets=()),
    name="toy-blackjack/1",
    title="Toy Blackjack",
    sheet="TOY",
    in_force_from=date(2027, 1, 1),
    uses_shoe=True,
    citations=cite(
        "TOY",
        {WIN: "Pays", BLACKJACK: "Pays", BUST: "Play", LOSE: "Play", LOSE_TO_BLACKJACK: "Play"},
        rests_on={},
    ),
    ambiguities=(),
)
BLACKJACK_2: Final = rule_set_of(
    replace(GAME, hits_soft_17=True),
    name="blackjack/2",
    title=BLACKJACK_1.game,
    sheet="BJ",
    in_force_from=date(2027, 1, 1),
    uses_shoe=True,
    citations=BLACKJACK_1.citations,
    ambiguities=BLACKJACK_1.ambiguities,
)
CATALOGUE: Final = catalogue_of(BLACKJACK_1, BACCARAT_1, TOY_1, BLACKJACK_2)

BLACKJACK_AGAINST_17: Final = "1:AS D:9H 1:KD D:8C"
EIGHTEEN_AGAINST_SOFT_17: Final = "1:TS D:6H 1:8D D:AC"
THE_SAME_AND_A_FOUR: Final = f"{EIGHTEEN_AGAINST_SOFT_17} D:4S"
DAY: Final = date(2026, 12, 1)


def feed_of_one(cards: str, rules: str) -> list[bytes]:
    """A feed of one round with 10.00 on box 1."""
    return lines(document_of(dealt(cards, bet(stake=1000))._replace(rules=rules)))


def result_of(cards: str, rules: str) -> dict[str, Any]:
    """The result of replaying such a feed."""
    [result] = replay_lines(feed_of_one(cards, rules), CATALOGUE)
    return result


def paid(cards: str, rules: str) -> str:
    """The payout of its bet."""
    payout: str = result_of(cards, rules)["bets"]["main-1"]["payout"]
    return payout


class TestAToyGame:
    def test_pays_a_blackjack_by_its_own_odds(self) -> None:
        """6:5 of 10.00 is 12.00; the released game pays 3:2, 15.00."""
        assert paid(BLACKJACK_AGAINST_17, "toy-blackjack/1") == "22.00"
        assert paid(BLACKJACK_AGAINST_17, "blackjack/1") == "25.00"

    def test_is_dealt_from_its_own_number_of_decks(self) -> None:
        """One deck holds one ace of spades, eight hold eight."""
        two_aces_of_spades = "1:AS D:9H 1:KD D:7C D:AS"

        toy = result_of(two_aces_of_spades, "toy-blackjack/1")
        released = result_of(two_aces_of_spades, "blackjack/1")

        assert "too-many-copies" in toy["anomalies"]
        assert "too-many-copies" not in released["anomalies"]

    def test_is_unknown_to_the_released_catalogue(self) -> None:
        """The released catalogue is unchanged."""
        [result] = replay_lines(feed_of_one(BLACKJACK_AGAINST_17, "toy-blackjack/1"))

        assert result["status"] == "rejected"


class TestASecondVersion:
    def test_plays_by_the_new_rule(self) -> None:
        """The dealer draws on a soft 17 and makes 21: 18 loses."""
        assert paid(THE_SAME_AND_A_FOUR, "blackjack/2") == "0.00"

    def test_leaves_old_rounds_under_the_old_rule(self) -> None:
        """In the first version the dealer stands: 18 wins, and a further card is an extra card."""
        assert paid(EIGHTEEN_AGAINST_SOFT_17, "blackjack/1") == "20.00"
        assert result_of(THE_SAME_AND_A_FOUR, "blackjack/1")["anomalies"] == ["extra-card"]
        assert result_of(EIGHTEEN_AGAINST_SOFT_17, "blackjack/2")["anomalies"] == ["missing-card"]

    def test_has_its_own_digest_and_keeps_the_old_seal(self) -> None:
        """Rounds of either version remain distinguishable."""
        digests = {rules.digest for rules in CATALOGUE.values()}

        assert len(digests) == len(CATALOGUE)
        assert breaks_of(BLACKJACK_1) == []


@pytest.mark.parametrize("rules", [TOY_1, BLACKJACK_2], ids=lambda rules: rules.name)
class TestTheSealOfAVariant:
    def test_catches_an_edited_copy(self, rules: RuleSet, tmp_path: Path) -> None:
        """Insurance at 3:1 where 2:1 was released."""
        feed = feed_of_one(BLACKJACK_AGAINST_17, rules.name)
        seal(rules, feed, on=DAY, folder=tmp_path)
        edited = replace(rules, declaration=replace(GAME, insurance_pays=Odds(3, 1)))

        unbroken, broken = breaks_of(rules, tmp_path), breaks_of(edited, tmp_path)

        assert unbroken == []
        assert "+  insurance_pays: 3:1" in broken
        assert broken[-1].endswith("make a new version.")

    def test_cannot_be_replaced(self, rules: RuleSet, tmp_path: Path) -> None:
        """The way out is a third version, not a new seal."""
        feed = feed_of_one(BLACKJACK_AGAINST_17, rules.name)
        seal(rules, feed, on=DAY, folder=tmp_path)

        with pytest.raises(AlreadyReleasedError):
            seal(rules, feed, on=DAY, folder=tmp_path)
