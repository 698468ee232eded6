"""Statistics of draws from a shoe: probabilities by hand, fairness of shuffled shoes."""

import random
from math import exp, log

import pytest

from compliance.monitoring.statistics.card_draws import ALTERNATIVES, no_draws, read_draws
from compliance.monitoring.statistics.evidence import log_evidence
from rounds.rules.cards import CARDS, INDEX
from tests.compliance.monitoring.dealt_rounds import draws_of, full_shoe, shoe_without


class TestADraw:
    def test_is_without_replacement(self) -> None:
        """One deck: the ace of spades at 1/52, then the king of hearts at 1/51."""
        draws = read_draws([draws_of(["AS", "KH"], number=2)], decks=1)

        king, ace = INDEX["KH"], INDEX["AS"]
        assert draws.rounds == 1
        assert (draws.dealt[king], draws.dealt[ace], draws.dealt.sum()) == (1, 1, 2)
        assert draws.expected[king] == pytest.approx(1 / 52 + 1 / 51)
        assert draws.expected[ace] == pytest.approx(1 / 52)
        assert draws.variance[ace] == pytest.approx(1 / 52 * 51 / 52)

    def test_knows_what_was_seen_of_the_shoe(self) -> None:
        """Of two decks 103 cards are unseen, one ace of spades among them."""
        seen = bytearray(52)
        seen[INDEX["AS"]] = 1

        draws = read_draws([draws_of(["KH"], number=1, seen=bytes(seen))], decks=2)

        assert draws.expected[INDEX["AS"]] == pytest.approx(1 / 103)
        assert draws.expected[INDEX["KH"]] == pytest.approx(2 / 103)

    def test_has_the_ratio_of_its_probabilities(self) -> None:
        """Aces that count as 1.25: 5/53 instead of 4/52 for a first Ace."""
        draws = read_draws([draws_of(["AS"], number=1)], decks=1)

        logs = dict(zip(ALTERNATIVES, draws.logs, strict=True))
        heavy = 4 * 1.25 / (48 + 4 * 1.25)
        assert logs["A", 1.25] == pytest.approx(log(heavy / (4 / 52)))
        assert logs["K", 1.25] == pytest.approx(log(52 / 53))

    def test_adds_up_for_any_grouping_of_rounds(self) -> None:
        """Rounds may be added together or one by one."""
        dice = random.Random(1)
        rounds = [draws_of(full_shoe(dice), number=number) for number in (5, 0, 6)]

        at_once = read_draws(rounds, decks=8)
        added = no_draws()
        for dealt in rounds:
            added = added.plus(read_draws([dealt], decks=8))

        assert at_once.rounds == added.rounds == 3
        assert at_once.logs == pytest.approx(added.logs)
        assert at_once.expected == pytest.approx(added.expected)


class TestEvidence:
    @pytest.mark.slow
    def test_of_shuffled_shoes_is_a_fair_game(self) -> None:
        """The mean over 2,000 shoes is 1; at most one in twenty comes to 20 (Ville)."""
        dice = random.Random(20261122)
        values = []
        for _ in range(2_000):
            draws = read_draws([draws_of(full_shoe(dice), number=300)], decks=8)
            values.append(exp(log_evidence(draws.logs.tolist())))

        assert sum(values) / len(values) == pytest.approx(1.0, abs=0.1)
        assert sum(value >= 20 for value in values) <= len(values) / 20

    def test_of_a_shoe_without_nines_grows(self) -> None:
        """Beyond 1,000 within seven shoes; the alternative of fewer nines explains it best."""
        dice = random.Random(20261122)
        biased_shoe = shoe_without("9")
        draws = read_draws([draws_of(biased_shoe(dice), number=300) for _ in range(7)], decks=8)

        assert log_evidence(draws.logs.tolist()) > log(1_000)
        best = max(zip(draws.logs, ALTERNATIVES, strict=True))[1]
        assert best == ("9", 0.8)
        assert not any(card[0] == "9" for card, n in zip(CARDS, draws.dealt, strict=True) if n)
