"""The findings about a held round of the blackjack family, card by card and bet by bet."""

from collections.abc import Iterable
from typing import Final

from rounds.rules.anomalies import (
    INSURANCE_AMOUNT,
    INSURANCE_NOT_OFFERED,
    MAIN_BET_MISSING,
    MISSING_CARD,
    RAISE_MISMATCH,
)
from rounds.rules.blackjack.bets import INSURANCE, MAIN, cost_of, play_of, seat_of
from rounds.rules.blackjack.dealer import has_ace_up
from rounds.rules.blackjack.declaration import BlackjackGame, Malfunction
from rounds.rules.blackjack.disconnected_hands import unexplained_places
from rounds.rules.blackjack.findings.bonus import bonus_findings, multiplier_findings
from rounds.rules.blackjack.findings.cards_and_plays import (
    explained_cards,
    extra_findings,
    table_findings,
)
from rounds.rules.blackjack.interpret_round import Reading, read_round
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import BetName, Cards, Money, PlayName
from rounds.rules.facts import Bet, Round
from rounds.rules.findings.held_round_fault import Findings, make_finding
from rounds.rules.findings.shared import limit_findings, shoe_findings
from rounds.rules.limits import Limits
from rounds.rules.shoe import Shoe

NO_MAIN: Final = gettext_noop(
    "%(kind)s on box %(box)s, where the player has %(found)s main bets; it requires %(needed)s."
)
NO_ACE_UP: Final = gettext_noop(
    "Insured for %(amount)s with %(found)s face up; insurance is offered only under an Ace"
    " (%(needed)s)."
)
NOT_HALF: Final = gettext_noop(
    "Insurance of %(found)s; half of the main stake of %(main)s is %(needed)s."
)
RAISED: Final = gettext_noop("Raised by %(found)s; the play “%(play)s” costs %(needed)s.")
_ACE: Final = Cards(("AS", "AH", "AD", "AC"))


def round_findings(
    game: BlackjackGame, dealt: Round, shoe: Shoe | None, limits: Limits
) -> Findings:
    """The faults of the cards, the plays, the bets and the bonus of a round."""
    if dealt.malfunction and game.malfunction is Malfunction.VOIDS:
        return
    reading = read_round(game, dealt)
    if dealt.malfunction and MISSING_CARD in reading.codes():
        return  # the round is void
    yield from _tables(game, dealt, reading)
    yield from bonus_findings(game, dealt, reading)
    yield from multiplier_findings(game, dealt)
    yield from shoe_findings(dealt, shoe or Shoe(), decks=game.decks)
    voids = reading.classified.voids
    counting = [(n, bet) for n, bet in enumerate(dealt.bets) if voids[n] is None]
    yield from limit_findings(counting, limits)
    yield from _bet_findings(counting, reading)


def _tables(game: BlackjackGame, dealt: Round, reading: Reading) -> Findings:
    """The faults of the live table and of the hands finished off line."""
    classified, off_line = reading.classified, reading.off_line
    main_bets = [
        (n, bet)
        for n, bet in enumerate(dealt.bets)
        if bet.kind == MAIN and not bet.behind and classified.voids[n] is None
    ]
    live = [(n, bet) for n, bet in main_bets if bet.player not in off_line]
    yield from table_findings(game, dealt.cards, reading.live, classified.boxes, live)
    yield from extra_findings(dealt.cards, reading.live, explained_cards(reading))
    entries = {entry.player: entry for entry in dealt.disconnects}
    for player, finished in off_line.items():
        entry = entries[player]
        cards = dealt.cards[: entry.cards_seen] + entry.cards
        player_bets = [(n, bet) for n, bet in main_bets if bet.player == player]
        boxes = frozenset([bet.box or 0 for _number, bet in player_bets])
        places = unexplained_places(finished.table, entry, boxes=boxes, in_use=classified.boxes)
        for finding in (
            *table_findings(game, cards, finished.table, boxes, player_bets),
            *extra_findings(cards, finished.table, finished.table.called, among=places),
        ):
            live_cards = [number for number in finding.cards if number < (entry.cards_seen or 0)]
            yield finding._replace(cards=tuple(live_cards), player=player)


def _bet_findings(counting: Iterable[tuple[int, Bet]], reading: Reading) -> Findings:
    for number, bet in counting:
        if bet.kind == MAIN:
            yield from _raise_finding(number, bet, reading)
            continue
        main = reading.classified.mains.get(seat_of(bet))
        if main is None:
            kind = BetName(bet.kind)
            yield make_finding(
                MAIN_BET_MISSING,
                NO_MAIN,
                found=0,
                needed=1,
                bets=(number,),
                kind=kind,
                box=bet.box or 0,
            )
        if bet.kind == INSURANCE:
            yield from _insurance_findings(number, bet, main, reading)


def _raise_finding(number: int, bet: Bet, reading: Reading) -> Findings:
    costs = cost_of(bet, reading.classified)
    if bet.raised_cents != costs:
        found, needed = Money(bet.raised_cents), Money(costs)
        play = PlayName(play_of(bet, reading.classified))
        yield make_finding(
            RAISE_MISMATCH, RAISED, found=found, needed=needed, bets=(number,), play=play
        )


def _insurance_findings(number: int, bet: Bet, main: Bet | None, reading: Reading) -> Findings:
    table = reading.table_of(bet)
    upcard = table.streams.get(DEALER)
    if upcard and not has_ace_up(upcard):
        found, amount = Cards((upcard[0],)), Money(bet.stake_cents)
        yield make_finding(
            INSURANCE_NOT_OFFERED,
            NO_ACE_UP,
            found=found,
            needed=_ACE,
            bets=(number,),
            amount=amount,
        )
    if main is not None and bet.stake_cents != main.stake_cents // 2:
        insured, half = Money(bet.stake_cents), Money(main.stake_cents // 2)
        stake = Money(main.stake_cents)
        yield make_finding(
            INSURANCE_AMOUNT, NOT_HALF, found=insured, needed=half, bets=(number,), main=stake
        )
