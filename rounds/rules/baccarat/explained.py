"""Why each bet of a coup paid what it paid. [BAC] Regole del baccarat."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from rounds.rules.baccarat.bets import CoupBet, banker_wins, player_wins
from rounds.rules.baccarat.coup import (
    BANKER,
    NATURAL,
    OPENING,
    PLAYER,
    POINTS,
    Coup,
    points_of,
    read_coup,
)
from rounds.rules.baccarat.judge import PUSH_ON_TIE, BaccaratGame
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, Explanation, Graded, Money, Step, say
from rounds.rules.explained.money import STAKE_RETURNED, lost, pay_at_once
from rounds.rules.explained.placing import place
from rounds.rules.explained.reported import explain_each
from rounds.rules.explained.void import give_back, why_void
from rounds.rules.facts import Bet, Round
from rounds.rules.verdict import VOID, Grade

PLAYER_OPENED: Final = gettext_noop("The Player's first two cards were %(cards)s: %(points)s.")
BANKER_OPENED: Final = gettext_noop("The Banker's first two cards were %(cards)s: %(points)s.")
NATURALS: Final = gettext_noop(
    "With 8 or 9 on the first two cards of a hand, no further card is dealt."
)
PLAYER_DREW: Final = gettext_noop(
    "With 5 or less the Player draws a third card: %(card)s, which makes %(points)s."
)
PLAYER_STOOD: Final = gettext_noop("With 6 or 7 the Player stands.")
BANKER_DREW_ALONE: Final = gettext_noop(
    "As the Player stood, the Banker draws with 5 or less: %(card)s, which makes %(points)s."
)
BANKER_STOOD_ALONE: Final = gettext_noop("As the Player stood, the Banker stands with 6 or 7.")
BANKER_DREW: Final = gettext_noop(
    "The Player's third card counts %(third)s, and against it the Banker draws with %(opening)s:"
    " %(card)s, which makes %(points)s."
)
BANKER_STOOD: Final = gettext_noop(
    "The Player's third card counts %(third)s, and against it the Banker stands with %(opening)s."
)
RESULTS: Final = {
    "player": gettext_noop(
        "The Player, with %(player)s against %(banker)s, is nearer to nine: the bet wins."
    ),
    "banker": gettext_noop(
        "The Banker, with %(banker)s against %(player)s, is nearer to nine: the bet wins, less a"
        " commission of 5 %%."
    ),
    "tie": gettext_noop("Both hands have %(player)s: the tie wins."),
    PUSH_ON_TIE: gettext_noop(
        "Both hands have %(player)s: on a tie, bets on Player and Banker come back."
    ),
    "player_pair": gettext_noop(
        "The Player's first two cards have the same rank: they are a pair, and the bet wins."
    ),
    "banker_pair": gettext_noop(
        "The Banker's first two cards have the same rank: they are a pair, and the bet wins."
    ),
    "either_pair": gettext_noop("A hand's first two cards have the same rank: the bet wins."),
    "perfect_pair": gettext_noop(
        "A hand's first two cards have the same rank and the same suit: the bet wins, once however"
        " many hands have such a pair."
    ),
    "big": gettext_noop("%(count)s cards were dealt in all, and five or six win this bet."),
    "small": gettext_noop("%(count)s cards were dealt in all, and four win this bet."),
}
PLAYER_WON: Final = gettext_noop(
    "The Player, with %(player)s against %(banker)s, is nearer to nine: the bet loses."
)
BANKER_WON: Final = gettext_noop(
    "The Banker, with %(banker)s against %(player)s, is nearer to nine: the bet loses."
)
CARDS_WIN: Final = gettext_noop("The cards are those on which this bet wins.")
CARDS_LOSE: Final = gettext_noop("The cards are not those on which this bet wins.")
LOST: Final = {
    "player_pair": gettext_noop(
        "The Player's first two cards have different ranks: they are no pair, and the bet loses."
    ),
    "banker_pair": gettext_noop(
        "The Banker's first two cards have different ranks: they are no pair, and the bet loses."
    ),
    "either_pair": gettext_noop(
        "Neither hand's first two cards have the same rank: there is no pair, and the bet loses."
    ),
    "perfect_pair": gettext_noop(
        "Neither hand's first two cards have both the same rank and the same suit: the bet loses."
    ),
    "big": gettext_noop("%(count)s cards were dealt in all; five or six would win: the bet loses."),
    "small": gettext_noop("%(count)s cards were dealt in all; four would win: the bet loses."),
}

_OPENINGS_ALONE: Final = {
    "player_pair": PLAYER,
    "banker_pair": BANKER,
    "either_pair": PLAYER + BANKER,
    "perfect_pair": PLAYER + BANKER,
}
"""Bets that first cards alone decide, and whose."""


def explain(
    game: BaccaratGame, dealt: Round, graded: Sequence[Graded], /
) -> tuple[Explanation, ...]:
    """An explanation for each of the bets, in their order."""
    coup, _codes = read_coup(dealt.cards)
    return explain_each(graded, partial(_steps, game, dealt, coup))


def _steps(
    game: BaccaratGame, dealt: Round, coup: Coup | None, bet: Bet, grade: Grade
) -> Iterator[Step]:
    yield place(bet)
    if grade.outcome == VOID or coup is None:
        yield why_void(dealt, bet, grade.reasons[0])
        yield from give_back(bet)
        return
    if bet.kind in _OPENINGS_ALONE:
        yield from _tell_openings(coup, _OPENINGS_ALONE[bet.kind])
    else:
        yield from _tell_openings(coup, PLAYER + BANKER)
        yield from _tell_third_cards(coup)
    yield from _decide(game.bets[bet.kind], coup, bet)


def _decide(coup_bet: CoupBet, coup: Coup, bet: Bet) -> Iterator[Step]:
    """The decision on the bet and its money."""
    if coup_bet.wins(coup):
        yield _result(coup, RESULTS.get(bet.kind, CARDS_WIN), bet.kind)
        yield from pay_at_once(bet, coup_bet.pays)
    elif coup_bet.pushes is not None and coup_bet.pushes(coup):
        yield _result(coup, RESULTS[PUSH_ON_TIE], PUSH_ON_TIE)
        yield say(STAKE_RETURNED, cash=bet.stake_cents, staked=Money(bet.stake_cents))
    else:
        yield _result(coup, LOST.get(bet.kind) or _other_result(coup), coup_bet.lost)
        yield lost(bet)


def _other_result(coup: Coup) -> str:
    """Which hand won, for a bet that was on something else."""
    if player_wins(coup):
        return PLAYER_WON
    return BANKER_WON if banker_wins(coup) else CARDS_LOSE


def _result(coup: Coup, text: str, rule: str) -> Step:
    return say(
        text,
        rule=rule,
        player=coup.player_points,
        banker=coup.banker_points,
        count=len(coup.player) + len(coup.banker),
    )


def _tell_openings(coup: Coup, places: str) -> Iterator[Step]:
    for whose, text, hand in (
        (PLAYER, PLAYER_OPENED, coup.player),
        (BANKER, BANKER_OPENED, coup.banker),
    ):
        if whose in places:
            cards = hand[:OPENING]
            yield say(text, cards=Cards(cards), points=points_of(cards))


def _tell_third_cards(coup: Coup) -> Iterator[Step]:
    """Whether each hand drew, and by what rule."""
    player, banker = points_of(coup.player[:OPENING]), points_of(coup.banker[:OPENING])
    if max(player, banker) >= NATURAL:
        yield say(NATURALS)
        return
    drawn, points = Cards(coup.banker[OPENING:]), coup.banker_points
    if len(coup.player) == OPENING:
        yield say(PLAYER_STOOD)
        if drawn.codes:
            yield say(BANKER_DREW_ALONE, card=drawn, points=points)
        else:
            yield say(BANKER_STOOD_ALONE)
        return
    yield say(PLAYER_DREW, card=Cards(coup.player[OPENING:]), points=coup.player_points)
    third = POINTS[coup.player[OPENING]]
    if drawn.codes:
        yield say(BANKER_DREW, third=third, opening=banker, card=drawn, points=points)
    else:
        yield say(BANKER_STOOD, third=third, opening=banker)
