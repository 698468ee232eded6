"""What main bets of blackjacks would return under readings that were not adopted."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from compliance.certification.blackjack.analysis import Play, analyse_game
from compliance.certification.blackjack.otherwise import (
    Shares,
    all_raises_return,
    split_hands_zap,
    zapped_hands_do_not_double,
    zapped_pairs_split,
)
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.live_blackjack import BLACKJACK_1
from rounds.rules.blackjack.mega_fire_blaze import MEGA_FIRE_BLAZE_BLACKJACK_1
from rounds.rules.blackjack.quantum import QUANTUM_BLACKJACK_1
from rounds.rules.blackjack.zappit import ZAPPIT_BLACKJACK_1

_Found = Callable[[BlackjackGame], Iterator[tuple[Play, Shares]]]


class Otherwise(NamedTuple):
    """A main bet under a reading that was not adopted."""

    ambiguity: str
    """The key of the register."""
    reading_index: int
    play: Play
    shares: Shares


def main_otherwise(rules: str, game: BlackjackGame) -> Iterator[Otherwise]:
    """All of them that are analysed, for the main bet of a rule set."""
    for ambiguity, index, found in _OTHERWISE.get(rules, ()):
        for play, shares in found(game):
            yield Otherwise(ambiguity, index, play, shares)


def _declared(change: Callable[[BlackjackGame], BlackjackGame], *plays: Play) -> _Found:
    """Readings that a declaration can say, for these ways of playing."""

    def found(game: BlackjackGame) -> Iterator[tuple[Play, Shares]]:
        changed = change(game)
        for play in plays:
            one = analyse_game(changed, play)
            yield play, Shares(one.per_initial, one.per_staked)

    return found


def _decided(decide: Callable[[BlackjackGame], Shares]) -> _Found:
    """Readings that it cannot say, by the best play."""

    def found(game: BlackjackGame) -> Iterator[tuple[Play, Shares]]:
        yield Play.COMPOSITION, decide(game)

    return found


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


_OTHERWISE: Final[dict[str, tuple[tuple[str, int, _Found], ...]]] = {
    BLACKJACK_1.name: (
        ("look-under-ten", 1, _declared(_looks_under_both, *Play)),
        ("look-under-ten", 2, _declared(_never_looks, *Play)),
        ("all-lost-to-ten-up-blackjack", 1, _decided(all_raises_return)),
    ),
    MEGA_FIRE_BLAZE_BLACKJACK_1.name: (
        ("split-lost-double-returned", 1, _decided(all_raises_return)),
    ),
    QUANTUM_BLACKJACK_1.name: (("soft-seventeen", 1, _declared(_stands_on_soft_17, *Play)),),
    ZAPPIT_BLACKJACK_1.name: (
        ("zappit-looks", 1, _declared(_does_not_look_under_ten, Play.COMPOSITION)),
        ("zappit-looks", 2, _declared(_does_not_look, Play.COMPOSITION)),
        ("after-a-zap", 1, _decided(zapped_pairs_split)),
        ("after-a-zap", 2, _decided(zapped_hands_do_not_double)),
        ("zap-of-split-hands", 1, _decided(split_hands_zap)),
        ("double-after-split", 1, _declared(_no_double_after_split, Play.COMPOSITION)),
    ),
}
