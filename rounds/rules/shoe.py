"""The state of a shoe: the number of drawn cards, and counts of seen cards."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rounds.rules.anomalies import SHOE_GAP, TOO_MANY_COPIES
from rounds.rules.cards import CARDS, INDEX
from rounds.rules.facts import Round, ShoeOpening

_NONE_SEEN = bytes(len(CARDS))
_MOST_COUNTED = 255


class Shoe(NamedTuple):
    """The state of a shoe before a round.

    ``position`` is the number of drawn cards, None if unknown (a shoe that was not announced starts
    at the position of its first round: contract, detail 33). ``seen`` counts the seen copies of
    each card of ``CARDS``, one byte each, at most 255.
    """

    position: int | None = None
    seen: bytes = _NONE_SEEN

    @classmethod
    def opened(cls, opening: ShoeOpening) -> "Shoe":
        """The shoe after its opening: cards burnt face up are seen (details 33 and 35)."""
        position = len(opening.burnt) + opening.burnt_face_down
        return cls(position, _with_cards(_NONE_SEEN, opening.burnt))

    def after(self, dealt: Round) -> "Shoe":
        """The shoe after a settled, held or void round (detail 34)."""
        return self.dealt(drawn=dealt.drawn or 0, cards=[card for _, card in dealt.cards])

    def dealt(self, *, drawn: int, cards: Sequence[str]) -> "Shoe":
        """The shoe after these cards, drawn at position ``drawn``."""
        return Shoe(drawn + len(cards), _with_cards(self.seen, cards))

    def anomalies(self, dealt: Round, *, decks: int) -> list[str]:
        """Anomalies of the round with respect to this shoe (details 33 and 35)."""
        codes = []
        if self.position is not None and dealt.drawn != self.position:
            codes.append(SHOE_GAP)
        if self._holds_too_many(dealt.cards, decks):
            codes.append(TOO_MANY_COPIES)
        return codes

    def _holds_too_many(self, cards: Iterable[tuple[str, str]], decks: int) -> bool:
        """Whether a card is seen more often than the decks hold it."""
        counts = bytearray(self.seen)
        for _, card in cards:
            index = INDEX[card]
            if counts[index] >= decks:
                return True
            counts[index] += 1
        return False


def _with_cards(seen: bytes, cards: Iterable[str]) -> bytes:
    counts = bytearray(seen)
    for card in cards:
        index = INDEX[card]
        if counts[index] < _MOST_COUNTED:
            counts[index] += 1
    return bytes(counts)
