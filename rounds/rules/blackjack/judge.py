"""Verdicts on rounds of the blackjack family."""

from typing import Final

from rounds.rules.anomalies import (
    INSURANCE_AMOUNT,
    INSURANCE_NOT_OFFERED,
    MAIN_BET_MISSING,
    MISSING_CARD,
    MULTIPLIER_CARDS,
    RAISE_MISMATCH,
    STAKE_LIMITS,
)
from rounds.rules.blackjack.bets import INSURANCE, MAIN, cost_of, seat_of
from rounds.rules.blackjack.bonus import BonusRead, read_bonus
from rounds.rules.blackjack.dealer import has_ace_up
from rounds.rules.blackjack.declaration import BlackjackGame, Malfunction
from rounds.rules.blackjack.grading import Grader
from rounds.rules.blackjack.interpret_round import Reading, read_round
from rounds.rules.blackjack.layout import DEALER
from rounds.rules.blackjack.multipliers import multipliers_of
from rounds.rules.facts import Bet, Round
from rounds.rules.limits import NO_LIMITS, Limits, exceeds_limits
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Verdict, held_verdict, settled_verdict, void_verdict
from rounds.rules.void import MALFUNCTION

_NO_BONUS: Final = BonusRead(None, frozenset())


def judge(
    game: BlackjackGame, dealt: Round, shoe: Shoe | None, limits: Limits = NO_LIMITS, /
) -> Verdict:
    """The verdict on a round, given its shoe before the round and the limits of its table."""
    if dealt.malfunction and game.malfunction is Malfunction.VOIDS:
        return void_verdict(dealt, MALFUNCTION)
    reading = read_round(game, dealt)
    codes = reading.codes()
    if dealt.malfunction and MISSING_CARD in codes:
        return void_verdict(dealt, MALFUNCTION)
    bonus = _read_bonus(game, dealt, reading)
    multipliers = multipliers_of(game, dealt)
    codes.update(
        bonus.codes,
        (shoe or Shoe()).anomalies(dealt, decks=game.decks),
        _stake_codes(dealt, reading, limits),
    )
    if multipliers is None:
        codes.add(MULTIPLIER_CARDS)
    if codes or multipliers is None:
        return held_verdict(codes)
    grader = Grader(game, reading, multipliers, bonus.result)
    return settled_verdict(dealt, grader.grade_all(dealt.bets), bonus.result)


def _read_bonus(game: BlackjackGame, dealt: Round, reading: Reading) -> BonusRead:
    if game.bonus is None:
        return _NO_BONUS
    return read_bonus(game.bonus, dealt, reading.live, reading.classified)


def _stake_codes(dealt: Round, reading: Reading, limits: Limits) -> set[str]:
    """Anomalies of stakes, raises and insurances."""
    classified = reading.classified
    codes = {MAIN_BET_MISSING} if classified.lacks_main else set()
    counted = [bet for bet, void in zip(dealt.bets, classified.voids, strict=True) if void is None]
    if limits and exceeds_limits(counted, limits):
        codes.add(STAKE_LIMITS)
    for bet in counted:
        if bet.kind == MAIN:
            if bet.raised_cents != cost_of(bet, classified):
                codes.add(RAISE_MISMATCH)
        elif bet.kind == INSURANCE:
            codes |= _insurance_codes(bet, reading)
    return codes


def _insurance_codes(bet: Bet, reading: Reading) -> set[str]:
    codes = set()
    upcard = reading.table_of(bet).streams.get(DEALER)
    if upcard and not has_ace_up(upcard):
        codes.add(INSURANCE_NOT_OFFERED)
    main = reading.classified.mains.get(seat_of(bet))
    if main is not None and bet.stake_cents != main.stake_cents // 2:  # R: half, rounded down
        codes.add(INSURANCE_AMOUNT)
    return codes
