"""The result of a hand against the dealer, and its payout on a stake."""

from functools import lru_cache
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


class Result(NamedTuple):
    """The result of a hand, independent of the stake."""

    reason: str
    doubles: int
    wins: Odds | None = None
    """The odds of the winnings on the whole stake of the hand, None without winnings."""
    stake_returns: bool = False
    double_returns: bool = False
    """Only the raise of the double is returned."""


def result_of(game: BlackjackGame, hand: Hand, dealer: Dealer, factor: Odds | None) -> Result:
    """The result of a hand against the dealer. [BJ] Risultato, likewise on the other sheets.

    ``factor`` is the sum of the multiplier cards in the hand, None without any.
    """
    if dealer.has_blackjack:
        return _against_blackjack(game, hand, dealer)
    if hand.is_bust:
        return Result(BUST, hand.doubles)
    if hand.is_blackjack:
        return _won(hand, BLACKJACK, game.blackjack_pays, factor)
    if game.most_cards_win and len(hand.cards) == game.most_cards:
        return _won(hand, CHARLIE, game.win_pays, factor)
    if dealer.points > TWENTY_ONE and factor is None and game.bust_pushes(dealer.values):
        return Result(PUSH_ON_BUST, hand.doubles, stake_returns=True)
    return _against_points(game, hand, dealer, factor)


def _against_blackjack(game: BlackjackGame, hand: Hand, dealer: Dealer) -> Result:
    if hand.is_blackjack:
        return Result(PUSH_OF_BLACKJACKS, hand.doubles, stake_returns=True)
    if hand.doubles and against_blackjack(game, dealer).doubles_return:
        return Result(DOUBLE_RETURNED, hand.doubles, double_returns=True)
    return Result(BUST if hand.is_bust else LOSE_TO_BLACKJACK, hand.doubles)


def _against_points(game: BlackjackGame, hand: Hand, dealer: Dealer, factor: Odds | None) -> Result:
    if dealer.points > TWENTY_ONE or hand.points > dealer.points:
        return _won(hand, WIN, game.win_pays, factor)
    if hand.points == dealer.points:
        return Result(PUSH, hand.doubles, stake_returns=True)
    return Result(LOSE, hand.doubles)


def _won(hand: Hand, reason: str, pays: Odds, factor: Odds | None) -> Result:
    """A win; a win with multiplier cards does not return the stake."""
    if factor is None:
        return Result(reason, hand.doubles, pays, stake_returns=True)
    multiplied = MULTIPLIED_BLACKJACK if reason == BLACKJACK else MULTIPLIED_WIN
    return Result(multiplied, hand.doubles, pays.times(factor))


class Credit(NamedTuple):
    """The credit of a hand, in cents."""

    cash_cents: int
    chips_cents: int
    as_cash_cents: int
    """The credit of the same bet in cash, which decides the outcome (detail 37)."""


def credit_of(result: Result, *, stake_cents: int, golden: bool) -> Credit:
    """The credit of a result on the stake and on the raise of a double."""
    raised_cents = result.doubles * stake_cents
    staked_cents = stake_cents + raised_cents
    credit_cents = result.wins.winnings(staked_cents) if result.wins else 0
    if result.stake_returns:
        credit_cents += staked_cents
    elif result.double_returns:
        credit_cents += raised_cents
    if not (golden and result.stake_returns):
        return Credit(credit_cents, 0, credit_cents)
    chips_cents = 0 if result.wins else stake_cents  # the chip of a win stays with the house
    return Credit(credit_cents - stake_cents, chips_cents, credit_cents)


@lru_cache(maxsize=1 << 14)
def grade_hands(
    results: tuple[Result, ...],
    stake_cents: int,
    raised_cents: int,
    golden: bool,  # noqa: FBT001 - by position, as the cache wants it
) -> Grade:
    """The grade of a main bet, with one stake on each hand.

    A golden chip lies on the first hand; raises are cash (detail 38). Cached, because most bets
    share few stakes and results.
    """
    first, *others = results
    returned = [credit_of(first, stake_cents=stake_cents, golden=golden)]
    returned += [credit_of(hand, stake_cents=stake_cents, golden=False) for hand in others]
    cash_cents = sum(credit.cash_cents for credit in returned)
    chips_cents = sum(credit.chips_cents for credit in returned)
    as_cash_cents = sum(credit.as_cash_cents for credit in returned)
    payout_cents = cash_cents + chips_cents
    reasons = [result.reason for result in results]
    if chips_cents or payout_cents != as_cash_cents:
        reasons.append(GOLDEN_CHIP)
    outcome = outcome_of(payout_cents=as_cash_cents, staked_cents=stake_cents + raised_cents)
    return Grade(outcome, payout_cents, chips_cents, tuple(reasons))


@lru_cache(maxsize=1 << 14)
def grade_bet(
    reason: str,
    wins: Odds | None,
    stake_cents: int,
    golden: bool,  # noqa: FBT001 - by position, as the cache wants it
) -> Grade:
    """The grade of a bet without a hand; ``wins`` are None if it loses."""
    result = Result(reason, doubles=0, wins=wins, stake_returns=wins is not None)
    return grade_hands((result,), stake_cents, 0, golden)
