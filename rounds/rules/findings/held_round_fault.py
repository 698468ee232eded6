"""One fault of a held round."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rounds.rules.explained.explanation import Step, Value


class Finding(NamedTuple):
    """One fault: the code of its anomaly, a sentence, and the cards or bets concerned.

    ``text`` is an English sentence with a placeholder for each value, a msgid of the translations;
    ``values`` always has ``found`` and ``needed``.
    """

    code: str
    text: str
    values: Mapping[str, Value]
    cards: tuple[int, ...] = ()
    """Indices of the round's cards, from 0."""
    lacks: str | None = None
    """The place where a card is missing."""
    bets: tuple[int, ...] = ()
    """Numbers of the round's bets, from 0."""
    player: str | None = None
    """The player, for a fault in hands finished off line."""

    @property
    def step(self) -> Step:
        """The sentence with its values, for ``rounds.explanations.sentences``."""
        return Step(self.text, self.values)


Findings = Iterator[Finding]


def make_finding(
    code: str,
    text: str,
    *,
    found: Value,
    needed: Value,
    cards: tuple[int, ...] = (),
    lacks: str | None = None,
    bets: tuple[int, ...] = (),
    **values: Value,
) -> Finding:
    """A finding; ``values`` are further values of the sentence."""
    return Finding(code, text, {"found": found, "needed": needed, **values}, cards, lacks, bets)
