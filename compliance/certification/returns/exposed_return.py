"""Estimated return of a main bet for a player who uses the exposed multiplier cards.

The sets of multiplier cards are too many to enumerate. A seeded sample is drawn by the weights, and
the best play of each set is computed exactly
(`blackjack.exposed_cards`). The play that ignores the cards serves as a control variate: its exact
mean is known, and the difference of both varies much less than the returns.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.contexts import FIRST_SPLIT
from compliance.certification.returns.blackjack.exposed_cards import (
    BasePlan,
    ExposedCards,
    StandChances,
    UpcardPlay,
    stand_chances,
)
from compliance.certification.returns.blackjack.exposed_opening import openings_gain
from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.payout_totals import new_dealer_side
from compliance.certification.returns.blackjack.plan import Plan, Play, plans_of
from compliance.certification.returns.blackjack.upcards import full_shoe
from compliance.certification.returns.multiplied_return import multiplied_return
from compliance.certification.returns.multiplier_weights import MultiplierWeights
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import VALUES as VALUE_OF_CARD
from rounds.rules.cards import CARDS

_SEED: Final = 7


class ExposedPlayReturn(NamedTuple):
    """An estimate, of the initial stake."""

    per_initial: float
    standard_error: float
    rounds: int
    """Number of sampled sets of multiplier cards."""


def exposed_play_return(
    game: BlackjackGame, weights: MultiplierWeights, *, rounds: int
) -> ExposedPlayReturn:
    """The return of the best play by own cards, upcard and multiplier cards.

    Estimated from this number of sampled rounds, at least two.
    """
    chance = Random(_SEED)  # noqa: S311  seeded: the same estimate every time
    more = []
    for _ in range(rounds):
        cards = _drawn(chance, weights)
        more.append(gain_with(game, cards, looks=True) - gain_with(game, cards, looks=False))
    known = multiplied_return(game, weights, Play.COMPOSITION).per_initial
    return ExposedPlayReturn(known + fmean(more), stdev(more) / sqrt(rounds), rounds)


def gain_with(game: BlackjackGame, cards: Mapping[str, str], *, looks: bool) -> float:
    """The gain per unit staked in rounds with these multiplier cards, each with its value.

    ``looks`` states whether the play uses them.
    """
    exposed = ExposedCards(
        columns=np.array([VALUE_OF_CARD[card] - 1 for card in cards], dtype=np.int64),
        times=np.array([_number(game, value) for value in cards.values()]),
        copies=float(game.decks),
        full=full_shoe(game.decks),
    )
    gain = 0.0
    for plan, ends, base in _tables_of(game):
        table = plan.upcard.table
        pays, shoe = plan.upcard.pays, table.shoe
        hands, blackjack = plan.upcard.hands, table.blackjack
        play = UpcardPlay(
            hands, ends, shoe, pays, blackjack, base, ignores=not looks, exposed=exposed
        )
        gain += plan.upcard.chance * openings_gain(play)
    return gain


@cache
def _tables_of(game: BlackjackGame) -> tuple[tuple[Plan, StandChances, BasePlan], ...]:
    """Tables independent of the multiplier cards, by upcard."""
    return tuple(_tables(game))


def _tables(game: BlackjackGame) -> Iterator[tuple[Plan, StandChances, BasePlan]]:
    for plan in plans_of(game, Play.COMPOSITION):
        upcard = plan.upcard
        dealer_side = new_dealer_side(upcard.draws, upcard.pays)
        contexts = range(FIRST_SPLIT + VALUES)
        base = BasePlan(
            hits=np.array([plan.hits(context) for context in contexts]),
            first=np.array(
                [plan.decisions, *(plan.later(context) for context in contexts[FIRST_SPLIT:])]
            ),
        )
        yield plan, stand_chances(upcard.hands, upcard.table.shoe, dealer_side), base


def _drawn(chance: Random, weights: MultiplierWeights) -> dict[str, str]:
    """The multiplier cards of a round, each with its value."""
    many = chance.choices(list(weights.rounds), list(weights.rounds.values()))[0]
    values = weights.values[many]
    cards = chance.sample(CARDS, many)
    return dict(
        zip(cards, chance.choices(list(values), list(values.values()), k=many), strict=True)
    )


def _number(game: BlackjackGame, value: str) -> float:
    return game.multipliers[value].won / game.multipliers[value].staked
