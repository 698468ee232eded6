"""Faults of the cards and of the shoe."""

from collections import Counter

from rounds.rules.cards import CARDS, INDEX
from rounds.rules.facts import Round
from rounds.simulation.chance import between, pick
from rounds.simulation.faults.fault import Scene, finished_off_line

_FIRST_TWO = 2
_TENS = "TJQK"
_MOST_LOST_CARDS = 3


def lose_card(dealt: Round, scene: Scene) -> Round | None:
    """The last card that a play requires is missing (at baccarat: the last of the coup)."""
    if finished_off_line(dealt):
        return None
    if dealt.cards[0][0] == "P":
        return dealt._replace(cards=dealt.cards[:-1])
    dealt_to = Counter(place for place, _ in dealt.cards)
    called_for = [
        place
        for place, cards in dealt_to.items()
        if place != "D" and (not place.isdigit() or cards > _FIRST_TWO)
    ]
    if not called_for:
        return None
    place = pick(scene.rng, called_for)
    last = max(index for index, (at, _) in enumerate(dealt.cards) if at == place)
    return dealt._replace(cards=dealt.cards[:last] + dealt.cards[last + 1 :])


def draw_card_too_many(dealt: Round, scene: Scene) -> Round | None:
    """A box gets a card that no play requires (at baccarat: Banker, who must not draw)."""
    if finished_off_line(dealt):
        return None
    if dealt.cards[0][0] == "P":
        place = "B"
    else:
        place = pick(scene.rng, sorted({place for place, _ in dealt.cards if place.isdigit()}))
    return dealt._replace(cards=(*dealt.cards, (place, scene.shoe.draw())))


def repeat_card(dealt: Round, scene: Scene) -> Round | None:
    """A card occurs once more than the decks hold it, in place of others of the same value.

    Only a card without a copy left in the shoe, so that no later round has the same anomaly.
    """
    seen = scene.known.seen if scene.known else bytes(len(CARDS))
    copies = Counter(card for _, card in dealt.cards)
    candidates = []
    for card in CARDS:
        swaps = scene.rule_set.decks + 1 - seen[INDEX[card]] - copies[card]
        alike = [i for i, (_, other) in enumerate(dealt.cards) if _alike(card, other)]
        comes_again = scene.rule_set.uses_shoe and scene.shoe.holds(card)
        if 0 < swaps <= len(alike) and not comes_again:
            candidates.append((swaps, card, alike))
    if not candidates:
        return None
    fewest = min(swaps for swaps, _, _ in candidates)
    swaps, card, alike = pick(
        scene.rng, [candidate for candidate in candidates if candidate[0] == fewest]
    )
    cards = list(dealt.cards)
    for index in alike[:swaps]:
        cards[index] = (cards[index][0], card)
    return dealt._replace(cards=tuple(cards))


def lose_cards_unseen(dealt: Round, scene: Scene) -> Round | None:
    """Cards left the shoe between two rounds without a document."""
    if dealt.drawn is None:
        return None
    lost = between(scene.rng, 1, _MOST_LOST_CARDS)
    scene.shoe.discard(lost)
    return dealt._replace(drawn=dealt.drawn + lost)


def _alike(card: str, other: str) -> bool:
    """Whether another card, of other rank or suit, has the same value at every game."""
    same_value = card[0] == other[0] or (card[0] in _TENS and other[0] in _TENS)
    return same_value and card != other
