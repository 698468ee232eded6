"""What a hand is worth against the dealer, and what that pays on a stake."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rounds.rules.blackjack.dealer import Dealer, against_blackjack
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.hands import Hand
from rounds.rules.blackjack.reasons import (
    BLACKJACK,
    BUST,
    CHARLIE,
    DOUBLE_RETURNED,
    GOLDEN_CHIP,
    LOSE,
    LOSE_TO_BLACKJACK,
    MULTIPLIED_BLACKJACK,
    MULTIPLIED_WIN,
    PUSH,
    PUSH_OF_BLACKJACKS,
    PUSH_ON_BUST,
    WIN,
)
from rounds.rules.blackjack.totals import TWENTY_ONE
from rounds.rules.odds import Odds
from rounds.rules.verdict import Grade, outcome_of

Multipliers = Mapping[str, Odds]
"""What each multiplier card of the round multiplies by."""


class Result(NamedTuple):
    """What became of a hand, whatever was staked on it."""

    reason: str
    doubles: int
    wins: Odds | None = None
    """What is won on all that was staked on the hand, None where nothing is."""
    stake_returns: bool = False
    double_returns: bool = False
    """Only what doubling added comes back."""


def result_of(game: BlackjackGame, hand: Hand, dealer: Dealer, multipliers: Multipliers) -> Result:
    """How a hand ends against the dealer. [BJ] Risultato, and the same of the other sheets."""
    if dealer.has_blackjack:
        return _against_blackjack(game, hand, dealer)
    if hand.is_bust:
        return Result(BUST, hand.doubles)
    if hand.is_blackjack:
        return _won(hand, BLACKJACK, game.blackjack_pays, multipliers)
    if game.most_cards_win and len(hand.cards) == game.most_cards:
        return _won(hand, CHARLIE, game.win_pays, multipliers)
    if dealer.total > TWENTY_ONE:
        return _against_bust(game, hand, dealer, multipliers)
    return _against_total(game, hand, dealer, multipliers)


def _against_total(
    game: BlackjackGame, hand: Hand, dealer: Dealer, multipliers: Multipliers
) -> Result:
    if hand.total > dealer.total:
        return _won(hand, WIN, game.win_pays, multipliers)
    if hand.total == dealer.total:
        return Result(PUSH, hand.doubles, stake_returns=True)
    return Result(LOSE, hand.doubles)


def _against_blackjack(game: BlackjackGame, hand: Hand, dealer: Dealer) -> Result:
    if hand.is_blackjack:
        return Result(PUSH_OF_BLACKJACKS, hand.doubles, stake_returns=True)
    if hand.doubles and against_blackjack(game, dealer).doubles_return:
        return Result(DOUBLE_RETURNED, hand.doubles, double_returns=True)
    return Result(BUST if hand.is_bust else LOSE_TO_BLACKJACK, hand.doubles)


def _against_bust(
    game: BlackjackGame, hand: Hand, dealer: Dealer, multipliers: Multipliers
) -> Result:
    if game.bust_pushes(dealer.cards) and not _held(hand, multipliers):
        return Result(PUSH_ON_BUST, hand.doubles, stake_returns=True)
    return _won(hand, WIN, game.win_pays, multipliers)


def _won(hand: Hand, reason: str, pays: Odds, multipliers: Multipliers) -> Result:
    """A win; multiplier cards multiply it, and then the stake does not come back."""
    held = _held(hand, multipliers)
    if not held:
        return Result(reason, hand.doubles, pays, stake_returns=True)
    multiplied = MULTIPLIED_BLACKJACK if reason == BLACKJACK else MULTIPLIED_WIN
    return Result(multiplied, hand.doubles, pays.times(*(multipliers[card] for card in held)))


def _held(hand: Hand, multipliers: Multipliers) -> set[str]:
    """The multiplier cards in a hand, each once however many copies of it there are."""
    return multipliers.keys() & hand.cards if multipliers else set()


class Credit(NamedTuple):
    """What a hand gives back, in cents."""

    cash_cents: int
    chips_cents: int
    as_cash_cents: int
    """What the same bet in cash would get back, which decides the outcome (detail 37)."""


def credit_of(result: Result, *, stake_cents: int, golden: bool) -> Credit:
    """What a hand's result gives back on its stake and on what doubling added to it."""
    raised_cents = result.doubles * stake_cents
    staked_cents = stake_cents + raised_cents
    credit_cents = result.wins.winnings(staked_cents) if result.wins else 0
    if result.stake_returns:
        credit_cents += staked_cents
    elif result.double_returns:
        credit_cents += raised_cents
    chip_cents = stake_cents if golden and result.stake_returns else 0
    kept_cents = chip_cents if result.wins else 0
    return Credit(credit_cents - chip_cents, chip_cents - kept_cents, credit_cents)


def grade_hands(
    results: Iterable[Result], *, stake_cents: int, golden: bool, raised_cents: int
) -> Grade:
    """A main bet's grade: the stake on the first hand, a further one on each other hand.

    A golden chip lies on the first hand; what was raised later is cash (detail 38).
    """
    reasons: list[str] = []
    payout_cents = chips_cents = as_cash_cents = 0
    for result in results:
        credit = credit_of(result, stake_cents=stake_cents, golden=golden and not reasons)
        payout_cents += credit.cash_cents + credit.chips_cents
        chips_cents += credit.chips_cents
        as_cash_cents += credit.as_cash_cents
        reasons.append(result.reason)
    outcome = outcome_of(payout_cents=as_cash_cents, staked_cents=stake_cents + raised_cents)
    if chips_cents or payout_cents != as_cash_cents:
        reasons.append(GOLDEN_CHIP)
    return Grade(outcome, payout_cents, chips_cents, tuple(reasons))


def grade_bet(reason: str, wins: Odds | None, *, stake_cents: int, golden: bool) -> Grade:
    """The grade of a bet that is decided at once: what it wins, None where it loses."""
    result = Result(reason, doubles=0, wins=wins, stake_returns=wins is not None)
    return grade_hands([result], stake_cents=stake_cents, golden=golden, raised_cents=0)
