"""Rounds dealt from shuffled shoes are settled for the amounts of the model.

Each payout equals that of the model for the same outcome, and the sums lie within three standard
errors of the model. Seeded, so the result is always the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from compliance.certification.returns.baccarat import baccarat_returns, outcome_of
from compliance.certification.returns.exact_returns import BetReturn
from compliance.certification.returns.fire_blaze import point_chances
from compliance.certification.returns.insurance import insurance_return
from compliance.certification.returns.side_bets import side_bet_returns
from rounds.rules.baccarat.coup import read_coup
from rounds.rules.baccarat.game import GAME
from rounds.rules.blackjack.dealer import draw_by_rule
from rounds.rules.blackjack.totals import values_of
from rounds.rules.cards import CARDS
from rounds.rules.facts import Bet, Round
from rounds.rules.verdict import Verdict
from tests.compliance.certification.random_rounds import game_of
from tests.rounds.rules.dealing import (
    BACCARAT,
    BLACKJACK,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    bet,
    dealt,
    judged,
    side,
)

STAKE = 10_000
ROUNDS = 4_000
FAMILY = (BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT)


def shoes(decks: int, seed: str) -> Iterator[Iterator[str]]:
    """The first cards of shuffled shoes."""
    rng = Random(seed)
    cards = CARDS * decks
    while True:
        yield iter(rng.sample(cards, 40))


def coup(shoe: Iterator[str]) -> tuple[tuple[str, str], ...]:
    """A coup, card by card as the rules require."""
    cards = tuple((place, next(shoe)) for place in "PBPB")
    while read_coup(cards)[1]:
        card = next(shoe)
        place = next(p for p in "PB" if "extra-card" not in read_coup((*cards, (p, card)))[1])
        cards = (*cards, (place, card))
    return cards


def round_of(rules: str, shoe: Iterator[str]) -> Round:
    """A round in which all hands stand, with all side bets."""
    game = game_of(rules)
    boxes = "12" if game.always_dealt else "1"
    cards = [(place, next(shoe)) for place in (*boxes, "D") * 2]
    dealer = [card for place, card in cards if place == "D"]
    while draw_by_rule(game, values_of(dealer)).has_to_draw:
        dealer.append(next(shoe))
    cards += [("D", card) for card in dealer[2:]]
    bets = [bet(stake=STAKE)]
    bets += [bet(side_bet.kind, stake=STAKE) for side_bet in game.side_bets]
    if dealer[0][0] == "A":
        bets.append(bet("insurance", stake=STAKE // 2))
    return dealt("", *bets, rules=rules, cards=tuple(cards))


def assert_same_money(model: BetReturn, settled: Iterable[tuple[int, str, int]]) -> None:
    """Compares stake, reason and payout of each bet, and the totals."""
    pays = {outcome.name: outcome.pays for outcome in model.outcomes}
    shares = []
    for stake, reason, payout in settled:
        assert payout == stake * pays[reason]
        shares.append(Fraction(payout, stake))
    error = sqrt(model.variance / len(shares))
    assert abs(float(sum(shares) / len(shares) - model.rtp)) < 3 * error


def by_kind(verdicts: Iterable[tuple[Round, Verdict]]) -> dict[str, list[tuple[int, str, int]]]:
    """Stake, reason and payout by bet kind."""
    settled: dict[str, list[tuple[int, str, int]]] = {}
    for round_, verdict in verdicts:
        assert verdict.status == "settled"
        for placed, grade in zip(round_.bets, verdict.grades, strict=True):
            line = placed.stake_cents, grade.reasons[0], grade.payout_cents
            settled.setdefault(placed.kind, []).append(line)
    return settled


class TestBaccarat:
    """All nine bets on each coup."""

    @pytest.mark.slow
    def test_pays_what_the_model_pays(self) -> None:
        """4,000 coups."""
        models = tuple(baccarat_returns(BACCARAT, GAME))
        bets: tuple[Bet, ...] = tuple(side(kind, stake=STAKE) for kind in GAME.bets)
        deals = shoes(GAME.decks, "coups")
        rounds = [dealt("", *bets, rules=BACCARAT, cards=coup(next(deals))) for _ in range(ROUNDS)]

        settled = by_kind((round_, judged(round_)) for round_ in rounds)

        assert len(models) == len(settled) == 9
        for model in models:
            assert_same_money(model, settled[model.kind])

    def test_is_judged_alike_by_cards_and_by_values(self) -> None:
        """The model counts coups without suits."""
        deals = shoes(GAME.decks, "worths")
        for _ in range(500):
            played_coup, _codes = read_coup(coup(next(deals)))
            assert played_coup is not None
            blank = played_coup._replace(
                player=("",) * len(played_coup.player), banker=("",) * len(played_coup.banker)
            )
            for kind in ("player", "banker", "tie", "big", "small"):
                assert outcome_of(GAME.bets[kind], blank) == outcome_of(
                    GAME.bets[kind], played_coup
                )


class TestTheBlackjacks:
    """Side bets and insurance of each rule set."""

    @pytest.mark.slow
    @pytest.mark.parametrize("rules", FAMILY)
    def test_pay_what_the_model_pays(self, rules: str) -> None:
        """4,000 rounds; insurance in those with an Ace up."""
        game = game_of(rules)
        models = (*side_bet_returns(rules, game), insurance_return(rules, game))
        deals = shoes(game.decks, rules)
        rounds = [round_of(rules, next(deals)) for _ in range(ROUNDS)]

        settled = by_kind((round_, judged(round_)) for round_ in rounds)

        assert set(settled) == {"main", *(model.kind for model in models)}
        for model in models:
            assert_same_money(model, settled[model.kind])

    def test_earn_points_with_the_probabilities_of_the_model(self) -> None:
        """Fire Blaze points of 4,000 judged rounds, each number within three standard errors."""
        game = game_of(MEGA_FIRE_BLAZE)
        deals = shoes(game.decks, "points")
        bonuses = [judged(round_of(MEGA_FIRE_BLAZE, next(deals))).bonus for _ in range(ROUNDS)]

        counted = Counter(bonus.points for bonus in bonuses if bonus is not None)

        chances = point_chances(game)
        assert counted.total() == ROUNDS
        assert set(counted) <= set(chances)
        for points, chance in chances.items():
            error = sqrt(ROUNDS * chance * (1 - chance))
            assert abs(counted[points] - float(ROUNDS * chance)) < max(3 * error, 3), points
