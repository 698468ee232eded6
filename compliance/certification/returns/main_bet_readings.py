"""Returns of blackjack main bets under readings that were not adopted."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from compliance.certification.returns.blackjack.alternative_readings import (
    Shares,
    all_raises_return,
    split_hands_zap,
    zapped_hands_do_not_double,
    zapped_pairs_split,
)
from compliance.certification.returns.blackjack.analysis import Play, analyse_game
from compliance.certification.returns.changed_rules import DECLARED_CHANGES
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.games.live_blackjack import BLACKJACK_1
from rounds.rules.blackjack.games.mega_fire_blaze import MEGA_FIRE_BLAZE_BLACKJACK_1
from rounds.rules.blackjack.games.quantum import QUANTUM_BLACKJACK_1
from rounds.rules.blackjack.games.zappit import ZAPPIT_BLACKJACK_1

_Analysis = Callable[[BlackjackGame], Iterator[tuple[Play, Shares]]]


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


def main_bet_alternatives(rules: str, game: BlackjackGame) -> Iterator[MainBetReading]:
    """Every analysed reading for the main bet of a rule set."""
    for ambiguity, index, analyse in _READINGS.get(rules, ()):
        for play, shares in analyse(game):
            yield MainBetReading(ambiguity, index, play, shares)


def _declared(rules: str, ambiguity: str, index: int, *plays: Play) -> _Reading:
    """A reading that a changed declaration expresses, for these kinds of play."""
    change = DECLARED_CHANGES[rules][ambiguity, index]

    def analyse(game: BlackjackGame) -> Iterator[tuple[Play, Shares]]:
        changed = change(game)
        for play in plays:
            analysed = analyse_game(changed, play)
            yield play, Shares(analysed.per_initial, analysed.per_staked)

    return _Reading(ambiguity, index, analyse)


def _decided(ambiguity: str, index: int, decide: Callable[[BlackjackGame], Shares]) -> _Reading:
    """A reading that no declaration expresses, by the best play."""

    def analyse(game: BlackjackGame) -> Iterator[tuple[Play, Shares]]:
        yield Play.COMPOSITION, decide(game)

    return _Reading(ambiguity, index, analyse)


_BEST: Final = Play.COMPOSITION
_READINGS: Final[dict[str, tuple[_Reading, ...]]] = {
    BLACKJACK_1.name: (
        _declared(BLACKJACK_1.name, "look-under-ten", 1, *Play),
        _declared(BLACKJACK_1.name, "look-under-ten", 2, *Play),
        _decided("all-lost-to-ten-up-blackjack", 1, all_raises_return),
    ),
    MEGA_FIRE_BLAZE_BLACKJACK_1.name: (
        _decided("split-lost-double-returned", 1, all_raises_return),
    ),
    QUANTUM_BLACKJACK_1.name: (_declared(QUANTUM_BLACKJACK_1.name, "soft-seventeen", 1, *Play),),
    ZAPPIT_BLACKJACK_1.name: (
        _declared(ZAPPIT_BLACKJACK_1.name, "zappit-looks", 1, _BEST),
        _declared(ZAPPIT_BLACKJACK_1.name, "zappit-looks", 2, _BEST),
        _decided("after-a-zap", 1, zapped_pairs_split),
        _decided("after-a-zap", 2, zapped_hands_do_not_double),
        _decided("zap-of-split-hands", 1, split_hands_zap),
        _declared(ZAPPIT_BLACKJACK_1.name, "double-after-split", 1, _BEST),
    ),
}
