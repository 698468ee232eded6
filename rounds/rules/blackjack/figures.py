"""The figures in citations, taken from the declaration of a game."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rounds.rules.blackjack import bust
from rounds.rules.blackjack.bust import BustPushes
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.reasons import (
    ANY_BUST,
    BLACKJACK,
    CHARLIE,
    INSURANCE_WON,
    MULTIPLIED_BLACKJACK,
    MULTIPLIED_WIN,
    PUSH_ON_BUST,
    WIN,
)
from rounds.rules.citation import Citation, Figure, gettext_noop, with_figures
from rounds.rules.odds import AnyOdds, Odds

_ON_BUST: Final[Mapping[tuple[BustPushes, bool], tuple[str, str]]] = {
    (bust.with_three_cards, True): (
        gettext_noop("Dealer bust with three cards: push"),
        gettext_noop(
            "The dealer went bust with exactly three cards. Remaining hands push, except blackjacks"
            " and hands with a multiplier card, which win."
        ),
    ),
    (bust.with_22, False): (
        gettext_noop("Dealer bust with 22: push"),
        gettext_noop(
            "The dealer went bust with exactly 22. Remaining hands push, except blackjacks, which"
            " win."
        ),
    ),
}
"""Title and summary by the declared ``bust_pushes`` and whether there are multiplier cards."""


def with_declared_figures(
    game: BlackjackGame, citations: Mapping[str, Citation]
) -> Mapping[str, Citation]:
    """The citations with the figures declared by the game."""
    cited = dict(with_figures(citations, _figures_of(game)))
    if PUSH_ON_BUST in cited:
        title, summary = _ON_BUST.get((game.bust_pushes, bool(game.multipliers)), ANY_BUST)
        cited[PUSH_ON_BUST] = cited[PUSH_ON_BUST]._replace(title=title, summary=summary)
    return MappingProxyType(cited)


def _figures_of(game: BlackjackGame) -> Mapping[str, Mapping[str, Figure]]:
    figures: dict[str, Mapping[str, Figure]] = {
        WIN: {"odds": game.win_pays},
        BLACKJACK: {"odds": game.blackjack_pays},
        MULTIPLIED_WIN: {"odds": game.win_pays},
        MULTIPLIED_BLACKJACK: {"odds": game.blackjack_pays},
        INSURANCE_WON: {"odds": game.insurance_pays},
    }
    if game.most_cards is not None:
        figures[CHARLIE] = {"cards": game.most_cards, "odds": game.win_pays}
    for combination, odds in _side_bet_odds(game).items():
        figures[combination] = {"odds": AnyOdds(odds)}
    return figures


def _side_bet_odds(game: BlackjackGame) -> Mapping[str, tuple[Odds, ...]]:
    """The odds of each combination; several if the side bets of a game differ."""
    pays: dict[str, tuple[Odds, ...]] = {}
    for side_bet in game.side_bets:
        for combination, odds in side_bet.pays.items():
            known = pays.get(combination, ())
            pays[combination] = known if odds in known else (*known, odds)
    return pays
