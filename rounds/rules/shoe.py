"""A shoe followed from round to round: how many cards have left it, and which were seen."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rounds.rules.anomalies import SHOE_GAP, TOO_MANY_COPIES
from rounds.rules.cards import CARDS, INDEX
from rounds.rules.facts import Round, ShoeOpening

_NONE_SEEN = bytes(len(CARDS))
_MOST_COUNTED = 255


class Shoe(NamedTuple):
    """What is known of a shoe before a round is dealt from it.

    ``position`` is how many cards had left it, None while nothing is known (a shoe that was not
    announced starts where its first round says: contract, detail 33). ``seen`` counts each card of
    ``CARDS`` that was seen, one byte each, 255 meaning that or more.
    """

    position: int | None = None
    seen: bytes = _NONE_SEEN

    @classmethod
    def opened(cls, opening: ShoeOpening) -> "Shoe":
        """The shoe as announced: burnt face-up cards count as seen (details 33 and 35)."""
        position = len(opening.burnt) + opening.burnt_face_down
        return cls(position, _with_cards(_NONE_SEEN, opening.burnt))

    def after(self, dealt: Round) -> "Shoe":
        """The shoe once a settled, held or void round has left it (detail 34)."""
        return self.dealt(drawn=dealt.drawn or 0, cards=[card for _, card in dealt.cards])

    def dealt(self, *, drawn: int, cards: Sequence[str]) -> "Shoe":
        """The shoe once these cards have left it, ``drawn`` cards having left it before them."""
        return Shoe(drawn + len(cards), _with_cards(self.seen, cards))

    def anomalies(self, dealt: Round, *, decks: int) -> list[str]:
        """What the round's cards cannot be if they came from this shoe (details 33 and 35)."""
        codes = []
        if self.position is not None and dealt.drawn != self.position:
            codes.append(SHOE_GAP)
        if self._holds_too_many(dealt.cards, decks):
            codes.append(TOO_MANY_COPIES)
        return codes

    def _holds_too_many(self, cards: Iterable[tuple[str, str]], decks: int) -> bool:
        """Whether one of the cards is seen once more than the decks hold it."""
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
