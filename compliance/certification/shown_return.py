"""What a main bet returns to somebody who plays with an eye on the multiplier cards: an estimate.

Which multiplier cards a round may have is too much to go through one by one. So some are drawn by
their weights, always the same for one seed, and for each the best play is worked out exactly
(`blackjack.shown`). Beside it stands what the play is worth that does not look at them, with the
same cards: the difference lies much less apart than the returns, and the mean of the second is
known.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.contexts import FIRST_SPLIT
from compliance.certification.blackjack.hands import VALUES
from compliance.certification.blackjack.plan import Plan, Play, plans_of
from compliance.certification.blackjack.shown import Base, Ends, Shown, Side, ends_of
from compliance.certification.blackjack.shown_opening import open_shown
from compliance.certification.blackjack.tally import room_for
from compliance.certification.blackjack.upcards import full_shoe
from compliance.certification.multiplied_return import multiplied_return
from compliance.certification.multiplier_weights import MultiplierWeights
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import VALUES as VALUE_OF_CARD
from rounds.rules.cards import CARDS

_SEED: Final = 7


class ShownReturn(NamedTuple):
    """An estimate, of the initial stake."""

    per_initial: float
    standard_error: float
    rounds: int
    """Sets of multiplier cards that it comes of."""


def shown_return(game: BlackjackGame, weights: MultiplierWeights, *, rounds: int) -> ShownReturn:
    """The return of the best play that looks at its own cards, the upcard and multiplier cards.

    It comes of so many rounds, two at least.
    """
    chance = Random(_SEED)  # noqa: S311  seeded: the same estimate every time
    more = []
    for _ in range(rounds):
        cards = _drawn(chance, weights)
        more.append(gain_with(game, cards, looks=True) - gain_with(game, cards, looks=False))
    known = multiplied_return(game, weights, Play.COMPOSITION).per_initial
    return ShownReturn(known + fmean(more), stdev(more) / sqrt(rounds), rounds)


def gain_with(game: BlackjackGame, cards: Mapping[str, str], *, looks: bool) -> float:
    """What a unit gains in rounds with these multiplier cards, each with its value.

    ``looks`` says whether the play looks at them or is the best one that does not.
    """
    shown = Shown(
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
        under = open_shown(
            Side(hands, ends, shoe, pays, blackjack, base, ignores=not looks, shown=shown)
        )
        gain += plan.upcard.chance * under
    return gain


@cache
def _tables_of(game: BlackjackGame) -> tuple[tuple[Plan, Ends, Base], ...]:
    """All that does not depend on the multiplier cards, by upcard."""
    return tuple(_tables(game))


def _tables(game: BlackjackGame) -> Iterator[tuple[Plan, Ends, Base]]:
    for plan in plans_of(game, Play.COMPOSITION):
        upcard = plan.upcard
        against = room_for(upcard.draws, upcard.pays)
        contexts = range(FIRST_SPLIT + VALUES)
        base = Base(
            hits=np.array([plan.hits(context) for context in contexts]),
            first=np.array(
                [plan.decisions, *(plan.later(context) for context in contexts[FIRST_SPLIT:])]
            ),
        )
        yield plan, ends_of(upcard.hands, upcard.table.shoe, against), base


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
