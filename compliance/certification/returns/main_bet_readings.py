"""Returns of blackjack main bets under readings that were not adopted."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from compliance.certification.returns.blackjack.alternative_readings import (
    Shares,
    all_raises_return,
    split_hands_zap,
    zapped_hands_do_not_double,
    zapped_pairs_split,
)
from compliance.certification.returns.blackjack.analysis import Play, analyse_game
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.games.live_blackjack import BLACKJACK_1
from rounds.rules.blackjack.games.mega_fire_blaze import MEGA_FIRE_BLAZE_BLACKJACK_1
from rounds.rules.blackjack.games.quantum import QUANTUM_BLACKJACK_1
from rounds.rules.blackjack.games.zappit import ZAPPIT_BLACKJACK_1

_Analysis = Callable[[BlackjackGame], Iterator[tuple[Play, Shares]]]
GameChange = Callable[[BlackjackGame], BlackjackGame]


class MainBetReading(NamedTuple):
    """A main bet under a reading that was not adopted."""

    ambiguity: str
    """The key of the register."""
    reading_index: int
    play: Play
    shares: Shares


class _Reading(NamedTuple):
    ambiguity: str
    reading_index: int
    analyse: _Analysis
    change: GameChange | None = None
    """The changed declaration that expresses the reading; None if none does."""


def main_bet_alternatives(rules: str, game: BlackjackGame) -> Iterator[MainBetReading]:
    """Every analysed reading for the main bet of a rule set."""
    for ambiguity, index, analyse, _change in _READINGS.get(rules, ()):
        for play, shares in analyse(game):
            yield MainBetReading(ambiguity, index, play, shares)


def declared_changes(rules: str) -> dict[tuple[str, int], GameChange]:
    """The readings of a rule set that a changed declaration expresses, by ambiguity and index."""
    readings = _READINGS.get(rules, ())
    return {(it.ambiguity, it.reading_index): it.change for it in readings if it.change is not None}


def _declared(ambiguity: str, index: int, change: GameChange, *plays: Play) -> _Reading:
    """A reading that a changed declaration expresses, for these kinds of play."""

    def analyse(game: BlackjackGame) -> Iterator[tuple[Play, Shares]]:
        changed = change(game)
        for play in plays:
            analysed = analyse_game(changed, play)
            yield play, Shares(analysed.per_initial, analysed.per_staked)

    return _Reading(ambiguity, index, analyse, change)


def _decided(ambiguity: str, index: int, decide: Callable[[BlackjackGame], Shares]) -> _Reading:
    """A reading that no declaration expresses, by the best play."""

    def analyse(game: BlackjackGame) -> Iterator[tuple[Play, Shares]]:
        yield Play.COMPOSITION, decide(game)

    return _Reading(ambiguity, index, analyse)


def _looks_under_both(game: BlackjackGame) -> BlackjackGame:
    return replace(game, under_ten=game.under_ace)


def _never_looks(game: BlackjackGame) -> BlackjackGame:
    return replace(game, under_ace=game.under_ten)


def _does_not_look_under_ten(game: BlackjackGame) -> BlackjackGame:
    return replace(game, under_ten=game.under_ten._replace(looked_at=False))


def _does_not_look(game: BlackjackGame) -> BlackjackGame:
    return _never_looks(_does_not_look_under_ten(game))


def _stands_on_soft_17(game: BlackjackGame) -> BlackjackGame:
    return replace(game, hits_soft_17=False)


def _no_double_after_split(game: BlackjackGame) -> BlackjackGame:
    return replace(game, double_after_split=False)


_BEST: Final = Play.COMPOSITION
_READINGS: Final[dict[str, tuple[_Reading, ...]]] = {
    BLACKJACK_1.name: (
        _declared("look-under-ten", 1, _looks_under_both, *Play),
        _declared("look-under-ten", 2, _never_looks, *Play),
        _decided("all-lost-to-ten-up-blackjack", 1, all_raises_return),
    ),
    MEGA_FIRE_BLAZE_BLACKJACK_1.name: (
        _decided("split-lost-double-returned", 1, all_raises_return),
    ),
    QUANTUM_BLACKJACK_1.name: (_declared("soft-seventeen", 1, _stands_on_soft_17, *Play),),
    ZAPPIT_BLACKJACK_1.name: (
        _declared("zappit-looks", 1, _does_not_look_under_ten, _BEST),
        _declared("zappit-looks", 2, _does_not_look, _BEST),
        _decided("after-a-zap", 1, zapped_pairs_split),
        _decided("after-a-zap", 2, zapped_hands_do_not_double),
        _decided("zap-of-split-hands", 1, split_hands_zap),
        _declared("double-after-split", 1, _no_double_after_split, _BEST),
    ),
}
