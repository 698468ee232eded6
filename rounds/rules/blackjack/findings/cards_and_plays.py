"""Findings about the cards and the plays of one table of the blackjack family."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from rounds.rules.anomalies import EXTRA_CARD, ILLEGAL_PLAY, MISSING_CARD
from rounds.rules.blackjack.dealer import against_blackjack
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.hands import IllegalDecision, illegal_decisions
from rounds.rules.blackjack.interpret_round import Reading
from rounds.rules.blackjack.layout import DEALER, BoxPlay, layout_of
from rounds.rules.blackjack.play import DOUBLE, HIT
from rounds.rules.blackjack.table import Table
from rounds.rules.blackjack.totals import total_of
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, Decisions, PlaceName, PlayName
from rounds.rules.facts import Bet
from rounds.rules.findings.held_round_fault import Finding, Findings, make_finding

DEALER_LACKS: Final = gettext_noop(
    "The dealer received %(found)s cards; the dealer receives %(needed)s before the plays."
)
DEALER_MUST_DRAW: Final = gettext_noop(
    "The dealer has %(found)s and must draw up to %(needed)s; the next card is missing."
)
DEALER_MUST_DRAW_SOFT: Final = gettext_noop(
    "The dealer has %(found)s and must draw up to a %(needed)s without an Ace counting eleven; the"
    " next card is missing."
)
DEALER_MUST_STAND: Final = gettext_noop("The dealer drew %(found)s on %(needed)s and must stand.")
LACKS: Final = gettext_noop(
    "%(place)s has %(found)s cards; the deal and the plays require %(needed)s."
)
EXTRA: Final = gettext_noop(
    "%(found)s was dealt to %(place)s, where the deal and the plays require only %(needed)s cards."
)
EXTRA_HERE: Final = gettext_noop(
    "%(found)s was dealt to %(place)s, where no bet or play requires a card (needed: %(needed)s)."
)
OUT_OF_ORDER: Final = gettext_noop(
    "%(found)s was dealt to %(place)s as card %(number)s, after play had begun; the first"
    " %(needed)s cards of every hand come first."
)
ILLEGAL: Final = gettext_noop(
    "%(place)s: the play is %(found)s on %(cards_held)s (%(total)s), where the rules allow"
    " %(needed)s."
)
AGAINST_BLACKJACK: Final = gettext_noop(
    "%(place)s: the play is %(found)s, although the dealer had checked and had a blackjack, after"
    " which the rules allow %(needed)s."
)
_OPENING: Final = 2

_MOST_BETS: Final = 50

Dealt = Sequence[tuple[str, str]]
Numbered = tuple[int, Bet]


def table_findings(
    game: BlackjackGame,
    cards: Dealt,
    table: Table,
    boxes: frozenset[int],
    mains: Sequence[Numbered],
) -> Findings:
    """All faults but extra cards, which other tables may explain.

    ``mains`` are the main bets of the table, with their numbers.
    """
    riding: dict[BoxPlay, list[int]] = {}
    for number, bet in mains:
        riding.setdefault((bet.box or 0, bet.play), []).append(number)
    yield from _dealer_findings(game, cards, table)
    for place, count in table.called.items():
        lie = len(table.streams.get(place, ()))
        if lie < count:
            where = PlaceName(place)
            yield make_finding(
                MISSING_CARD, LACKS, found=lie, needed=count, lacks=place, place=where
            )
    yield from _order_finding(cards, boxes, frozenset(riding))
    yield from _play_findings(game, cards, table, riding)


def explained_cards(reading: Reading) -> Mapping[str, int]:
    """The number of live cards of each place that plays require, off line plays included."""
    explained = Counter(reading.live.called)
    for finished in reading.off_line.values():
        explained |= Counter(finished.explained)
    return explained


def extra_findings(
    cards: Dealt, table: Table, called: Mapping[str, int], *, among: Collection[str] | None = None
) -> Findings:
    """Extra cards, the dealer's aside, at the places ``among``."""
    if not table.has_extra_card:
        return
    for place in table.streams:
        if place == DEALER or (among is not None and place not in among):
            continue
        needed = called.get(place, 0)
        for number in _numbers(cards, place)[needed:]:
            found, where = Cards((cards[number][1],)), PlaceName(place)
            text = EXTRA if needed else EXTRA_HERE
            yield make_finding(
                EXTRA_CARD, text, found=found, needed=needed, cards=(number,), place=where
            )


def _numbers(cards: Dealt, place: str) -> list[int]:
    return [number for number, (at, _card) in enumerate(cards) if at == place]


def _dealer_findings(game: BlackjackGame, cards: Dealt, table: Table) -> Findings:
    dealer_numbers = _numbers(cards, DEALER)
    if len(dealer_numbers) < _OPENING:
        yield make_finding(
            MISSING_CARD, DEALER_LACKS, found=len(dealer_numbers), needed=_OPENING, lacks=DEALER
        )
        return
    drawn = len(table.dealer.values)
    total = total_of([cards[number][1] for number in dealer_numbers[:drawn]])
    if drawn < len(dealer_numbers):
        extra = tuple(dealer_numbers[drawn:])
        found = Cards(tuple([cards[number][1] for number in extra]))
        yield make_finding(EXTRA_CARD, DEALER_MUST_STAND, found=found, needed=total, cards=extra)
    must_draw = any(box.awaits_dealer for box in table.boxes.values())
    if table.dealer.has_to_draw and (must_draw or len(dealer_numbers) > _OPENING):
        text = DEALER_MUST_DRAW_SOFT if game.hits_soft_17 else DEALER_MUST_DRAW
        yield make_finding(
            MISSING_CARD, text, found=total, needed=game.dealer_stands_on, lacks=DEALER
        )


def _order_finding(cards: Dealt, boxes: frozenset[int], plays: frozenset[BoxPlay]) -> Findings:
    """The first opening card that came after the opening deal."""
    places = tuple([place for place, _card in cards])
    if layout_of(places, boxes, plays).is_in_dealing_order:
        return
    for length in range(1, len(places) + 1):
        if not layout_of(places[:length], boxes, plays).is_in_dealing_order:
            place, card = cards[length - 1]
            found, where = Cards((card,)), PlaceName(place)
            yield make_finding(
                EXTRA_CARD,
                OUT_OF_ORDER,
                found=found,
                needed=_OPENING,
                cards=(length - 1,),
                place=where,
                number=length,
            )
            return


def _play_findings(
    game: BlackjackGame, cards: Dealt, table: Table, riding: Mapping[BoxPlay, Sequence[int]]
) -> Findings:
    dealer = table.dealer
    is_over = dealer.has_blackjack and not against_blackjack(game, dealer).plays_allowed
    for (box, text), numbers in riding.items():
        bets = tuple(numbers[:_MOST_BETS])
        for illegal in illegal_decisions(game, table.streams, box=box, text=text):
            yield _illegal_decision(cards, table, box, illegal, bets)
        if is_over and text:
            where, found = PlaceName(str(box)), PlayName(text)
            yield make_finding(
                ILLEGAL_PLAY,
                AGAINST_BLACKJACK,
                found=found,
                needed=Decisions(""),
                bets=bets,
                place=where,
            )


def _illegal_decision(
    cards: Dealt, table: Table, box: int, illegal: IllegalDecision, bets: tuple[int, ...]
) -> Finding:
    """The finding about an illegal decision, with the card that it drew, if any."""
    place = f"{box}{illegal.draws_from}"
    held = [table.streams[f"{box}{name}"][number] for name, number, _ in illegal.cards]
    drawn = [number for name, number, _ in illegal.cards if name == illegal.draws_from]
    following = _numbers(cards, place)[len(drawn) :]
    return make_finding(
        ILLEGAL_PLAY,
        ILLEGAL,
        found=Decisions(illegal.decision),
        needed=Decisions(illegal.allowed),
        cards=tuple(following[:1]) if illegal.decision in {HIT, DOUBLE} else (),
        bets=bets,
        place=PlaceName(place),
        cards_held=Cards(tuple(held)),
        total=illegal.total,
    )
