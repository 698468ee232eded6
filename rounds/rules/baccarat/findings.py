"""The findings about a held coup, card by card."""

from collections.abc import Sequence
from typing import Any, Final

from rounds.rules.anomalies import EXTRA_CARD, MISSING_CARD
from rounds.rules.baccarat.coup import (
    BANKER,
    MOST,
    NATURAL,
    OPENING,
    PLAYER,
    banker_cards,
    player_cards,
    points_of,
    read_coup,
)
from rounds.rules.baccarat.judge import BaccaratGame, void_reasons
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, PlaceName
from rounds.rules.facts import Round
from rounds.rules.findings.held_round_fault import Finding, Findings, make_finding
from rounds.rules.findings.shared import limit_findings, shoe_findings
from rounds.rules.limits import Limits
from rounds.rules.shoe import Shoe

OPENING_LACKS: Final = gettext_noop(
    "%(place)s: %(found)s cards were dealt; a hand starts with %(needed)s."
)
MUST_DRAW: Final = gettext_noop(
    "%(place)s has %(points)s with %(found)s cards and must draw a third card; %(needed)s cards are"
    " needed."
)
BANKER_MUST_DRAW: Final = gettext_noop(
    "%(place)s has %(points)s against the Player's third card %(third)s and must draw; found"
    " %(found)s cards, needed %(needed)s."
)
NATURAL_STANDS: Final = gettext_noop(
    "%(place)s drew a third card %(found)s although a hand had a natural (%(needed)s); it must"
    " stand."
)
MUST_STAND: Final = gettext_noop(
    "%(place)s drew a third card %(found)s on %(needed)s; it must stand."
)
BANKER_MUST_STAND: Final = gettext_noop(
    "%(place)s drew a third card %(found)s on %(needed)s against the Player's third card %(third)s;"
    " it must stand."
)
BEYOND_THREE: Final = gettext_noop(
    "%(place)s has %(found)s in addition to %(needed)s cards, the maximum of a hand."
)
NO_SUCH_PLACE: Final = gettext_noop(
    "%(found)s was dealt to %(place)s; baccarat has %(needed)s hands, Player and Banker."
)
OUT_OF_ORDER: Final = gettext_noop(
    "%(found)s was dealt as card %(number)s; first come two cards for each hand (%(needed)s), then"
    " the Player's third card, then the Banker's."
)
_BOTH: Final = 2

Hand = Sequence[tuple[int, str]]
"""Cards of a hand with their indices in the round."""


def coup_findings(game: BaccaratGame, dealt: Round, shoe: Shoe | None, limits: Limits) -> Findings:
    """The faults of the cards, the shoe and the stakes of a round."""
    _coup, codes = read_coup(dealt.cards)
    if codes:
        yield from _card_findings(dealt)
    yield from shoe_findings(dealt, shoe or Shoe(), decks=game.decks)
    voids = void_reasons(dealt)
    counting = [(n, bet) for n, bet in enumerate(dealt.bets) if voids[n] is None]
    yield from limit_findings(counting, limits)


def _card_findings(dealt: Round) -> Findings:
    hands = {place: _hand(dealt, place) for place in (PLAYER, BANKER)}
    owned = [n for hand in hands.values() for n, _card in hand]
    for number, (place, card) in enumerate(dealt.cards):
        if number not in owned:
            found, where = Cards((card,)), PlaceName(place)
            yield make_finding(
                EXTRA_CARD, NO_SUCH_PLACE, found=found, needed=_BOTH, cards=(number,), place=where
            )
    for place, hand in hands.items():
        yield from _size_findings(place, hand)
    if min(len(hand) for hand in hands.values()) >= OPENING:
        yield from _third_card_findings(hands[PLAYER], hands[BANKER])
        yield from _order_findings(dealt)


def _hand(dealt: Round, place: str) -> Hand:
    return [(n, card) for n, (at, card) in enumerate(dealt.cards) if at == place]


def _codes(hand: Hand) -> tuple[str, ...]:
    return tuple([card for _number, card in hand])


def _size_findings(place: str, hand: Hand) -> Findings:
    """Fewer than two cards, or more than three."""
    where = PlaceName(place)
    if len(hand) < OPENING:
        yield make_finding(
            MISSING_CARD, OPENING_LACKS, found=len(hand), needed=OPENING, lacks=place, place=where
        )
    for number, card in hand[MOST:]:
        found = Cards((card,))
        yield make_finding(
            EXTRA_CARD, BEYOND_THREE, found=found, needed=MOST, cards=(number,), place=where
        )


def _third_card_findings(player: Hand, banker: Hand) -> Findings:
    """A wrong third card; Banker's only if Player's hand is correct (detail 31)."""
    has, against = _codes(player), _codes(banker)
    needs = player_cards(has, against)
    natural = max(points_of(has[:OPENING]), points_of(against[:OPENING]))
    if min(len(player), MOST) != needs:
        yield _third_card(PLAYER, player, natural=natural, third=None)
    elif min(len(banker), MOST) != banker_cards(has, against):
        third = has[OPENING] if len(has) > OPENING else None
        yield _third_card(BANKER, banker, natural=natural, third=third)


def _third_card(place: str, hand: Hand, *, natural: int, third: str | None) -> Finding:
    """``third`` is Player's third card, if Banker's draw depends on it."""
    where, points = PlaceName(place), points_of(_codes(hand)[:OPENING])
    if len(hand) == OPENING:
        known: dict[str, Any] = {"place": where, "points": points}
        if third is not None:
            known["third"] = Cards((third,))
        text = MUST_DRAW if third is None else BANKER_MUST_DRAW
        return make_finding(MISSING_CARD, text, found=OPENING, needed=MOST, lacks=place, **known)
    number, card = hand[OPENING]
    found = Cards((card,))
    if natural >= NATURAL:
        return make_finding(
            EXTRA_CARD, NATURAL_STANDS, found=found, needed=natural, cards=(number,), place=where
        )
    if third is None:
        return make_finding(
            EXTRA_CARD, MUST_STAND, found=found, needed=points, cards=(number,), place=where
        )
    against = Cards((third,))
    return make_finding(
        EXTRA_CARD,
        BANKER_MUST_STAND,
        found=found,
        needed=points,
        cards=(number,),
        place=where,
        third=against,
    )


def _order_findings(dealt: Round) -> Findings:
    """The first card that came out of turn."""
    for length in range(1, len(dealt.cards) + 1):
        places = [place for place, _card in dealt.cards[:length]]
        if _is_out_of_turn(places):
            number, card = length - 1, dealt.cards[length - 1][1]
            found = Cards((card,))
            yield make_finding(
                EXTRA_CARD,
                OUT_OF_ORDER,
                found=found,
                needed=OPENING,
                cards=(number,),
                number=length,
            )
            return


def _is_out_of_turn(places: Sequence[str]) -> bool:
    """Whether the last of these cards is out of turn."""
    opening, thirds = places[: OPENING * _BOTH], places[OPENING * _BOTH :]
    if not thirds:
        return any(opening.count(place) > OPENING for place in (PLAYER, BANKER))
    return thirds not in ([PLAYER], [BANKER], [PLAYER, BANKER])
