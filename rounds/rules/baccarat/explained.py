"""Explanations of bets on a coup. [BAC] Regole del baccarat."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from rounds.rules.baccarat.bets import (
    CoupBet,
    banker_pairs,
    banker_wins,
    commission_of,
    either_pairs,
    is_big,
    is_small,
    perfectly_pairs,
    player_pairs,
    player_wins,
    ties,
)
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
from rounds.rules.explained.explanation import (
    Cards,
    Explanation,
    Graded,
    Money,
    Step,
    make_step,
)
from rounds.rules.explained.money import STAKE_RETURNED, explain_loss, explain_payment
from rounds.rules.explained.placing import explain_placing
from rounds.rules.explained.reported import explain_each
from rounds.rules.explained.void import explain_refund, explain_void
from rounds.rules.facts import Bet, Round
from rounds.rules.odds import Percent
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
    "Because the Player stood, the Banker draws with 5 or less: %(card)s, which makes %(points)s."
)
BANKER_STOOD_ALONE: Final = gettext_noop("Because the Player stood, the Banker stands with 6 or 7.")
BANKER_DREW: Final = gettext_noop(
    "The Player's third card has the value %(third)s, and against it the Banker draws with"
    " %(opening)s: %(card)s, which makes %(points)s."
)
BANKER_STOOD: Final = gettext_noop(
    "The Player's third card has the value %(third)s, and against it the Banker stands with"
    " %(opening)s."
)
RESULTS: Final = {
    "player": gettext_noop(
        "The Player, with %(player)s against %(banker)s, is nearer to nine: the bet wins."
    ),
    "banker": gettext_noop(
        "The Banker, with %(banker)s against %(player)s, is nearer to nine: the bet wins, less a"
        " commission of %(commission)s."
    ),
    "tie": gettext_noop("Both hands have %(player)s: the tie wins."),
    PUSH_ON_TIE: gettext_noop(
        "Both hands have %(player)s: on a tie, bets on Player and Banker are returned."
    ),
    "player_pair": gettext_noop(
        "The Player's first two cards have the same rank: they are a pair, and the bet wins."
    ),
    "banker_pair": gettext_noop(
        "The Banker's first two cards have the same rank: they are a pair, and the bet wins."
    ),
    "either_pair": gettext_noop("A hand's first two cards have the same rank: the bet wins."),
    "perfect_pair": gettext_noop(
        "A hand's first two cards have the same rank and the same suit: the bet wins, and is paid"
        " once even if both hands have such a pair."
    ),
    "big": gettext_noop("%(count)s cards were dealt in total. Five or six win this bet."),
    "small": gettext_noop("%(count)s cards were dealt in total. Four win this bet."),
}
BANKER_WITHOUT_COMMISSION: Final = gettext_noop(
    "The Banker, with %(banker)s against %(player)s, is nearer to nine: the bet wins."
)
PLAYER_WON: Final = gettext_noop(
    "The Player, with %(player)s against %(banker)s, is nearer to nine: the bet loses."
)
BANKER_WON: Final = gettext_noop(
    "The Banker, with %(banker)s against %(player)s, is nearer to nine: the bet loses."
)
CARDS_WIN: Final = gettext_noop("This bet wins with these cards.")
CARDS_LOSE: Final = gettext_noop("This bet does not win with these cards.")
LOST: Final = {
    "player_pair": gettext_noop(
        "The Player's first two cards have different ranks. They are not a pair, and the bet loses."
    ),
    "banker_pair": gettext_noop(
        "The Banker's first two cards have different ranks. They are not a pair, and the bet loses."
    ),
    "either_pair": gettext_noop(
        "In neither hand do the first two cards have the same rank. There is no pair, and the bet"
        " loses."
    ),
    "perfect_pair": gettext_noop(
        "In neither hand do the first two cards have the same rank and the same suit. The bet"
        " loses."
    ),
    "big": gettext_noop(
        "%(count)s cards were dealt in total. Five or six would have won; the bet loses."
    ),
    "small": gettext_noop(
        "%(count)s cards were dealt in total. Four would have won; the bet loses."
    ),
}

_SENTENCE_KEYS: Final[Mapping[Callable[[Coup], bool], str]] = {
    player_wins: "player",
    banker_wins: "banker",
    ties: "tie",
    player_pairs: "player_pair",
    banker_pairs: "banker_pair",
    either_pairs: "either_pair",
    perfectly_pairs: "perfect_pair",
    is_big: "big",
    is_small: "small",
}
"""The sentences for each condition of winning; a bet's name does not imply its condition."""
_OPENINGS_ALONE: Final = {
    "player_pair": PLAYER,
    "banker_pair": BANKER,
    "either_pair": PLAYER + BANKER,
    "perfect_pair": PLAYER + BANKER,
}
"""Bets decided by the first two cards of these hands."""


def explain(
    game: BaccaratGame, dealt: Round, graded: Sequence[Graded], /
) -> tuple[Explanation, ...]:
    """The explanation of each bet, in order."""
    coup, _codes = read_coup(dealt.cards)
    return explain_each(graded, partial(_steps, game, dealt, coup))


def _steps(
    game: BaccaratGame, dealt: Round, coup: Coup | None, bet: Bet, grade: Grade
) -> Iterator[Step]:
    yield explain_placing(bet)
    if grade.outcome == VOID or coup is None:
        yield explain_void(dealt, bet, grade.reasons[0])
        yield from explain_refund(bet)
        return
    coup_bet = game.bets[bet.kind]
    sentence_key = _SENTENCE_KEYS.get(coup_bet.wins, "")
    if sentence_key in _OPENINGS_ALONE:
        yield from _explain_openings(coup, _OPENINGS_ALONE[sentence_key])
    else:
        yield from _explain_openings(coup, PLAYER + BANKER)
        yield from _explain_third_cards(coup)
    yield from _decide(coup_bet, coup, bet, sentence_key)


def _decide(coup_bet: CoupBet, coup: Coup, bet: Bet, sentence_key: str) -> Iterator[Step]:
    """The decision on the bet and its money."""
    if coup_bet.wins(coup):
        yield _won(coup_bet, coup, sentence_key)
        yield from explain_payment(bet, coup_bet.pays)
    elif coup_bet.pushes is not None and coup_bet.pushes(coup):
        yield _result(coup, RESULTS[PUSH_ON_TIE], PUSH_ON_TIE)
        yield make_step(STAKE_RETURNED, cash=bet.stake_cents, staked=Money(bet.stake_cents))
    else:
        yield _result(coup, LOST.get(sentence_key) or _other_result(coup), coup_bet.lost)
        yield explain_loss(bet)


def _won(coup_bet: CoupBet, coup: Coup, sentence_key: str) -> Step:
    step = _result(coup, RESULTS.get(sentence_key, CARDS_WIN), coup_bet.kind)
    if sentence_key != "banker":
        return step
    if commission := commission_of(coup_bet.pays):
        return step._replace(values={**step.values, "commission": Percent(commission)})
    return step._replace(text=BANKER_WITHOUT_COMMISSION)


def _other_result(coup: Coup) -> str:
    """The sentence on the winning hand, for a lost bet on another result."""
    if player_wins(coup):
        return PLAYER_WON
    return BANKER_WON if banker_wins(coup) else CARDS_LOSE


def _result(coup: Coup, text: str, rule: str) -> Step:
    return make_step(
        text,
        rule=rule,
        player=coup.player_points,
        banker=coup.banker_points,
        count=len(coup.player) + len(coup.banker),
    )


def _explain_openings(coup: Coup, places: str) -> Iterator[Step]:
    for place, text, hand in (
        (PLAYER, PLAYER_OPENED, coup.player),
        (BANKER, BANKER_OPENED, coup.banker),
    ):
        if place in places:
            cards = hand[:OPENING]
            yield make_step(text, cards=Cards(cards), points=points_of(cards))


def _explain_third_cards(coup: Coup) -> Iterator[Step]:
    """The third cards, with the rule of each."""
    player, banker = points_of(coup.player[:OPENING]), points_of(coup.banker[:OPENING])
    if max(player, banker) >= NATURAL:
        yield make_step(NATURALS)
        return
    drawn, points = Cards(coup.banker[OPENING:]), coup.banker_points
    if len(coup.player) == OPENING:
        yield make_step(PLAYER_STOOD)
        if drawn.codes:
            yield make_step(BANKER_DREW_ALONE, card=drawn, points=points)
        else:
            yield make_step(BANKER_STOOD_ALONE)
        return
    yield make_step(PLAYER_DREW, card=Cards(coup.player[OPENING:]), points=coup.player_points)
    third = POINTS[coup.player[OPENING]]
    if drawn.codes:
        yield make_step(BANKER_DREW, third=third, opening=banker, card=drawn, points=points)
    else:
        yield make_step(BANKER_STOOD, third=third, opening=banker)
