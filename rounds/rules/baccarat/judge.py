"""Verdicts on baccarat rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rounds.rules.anomalies import STAKE_LIMITS
from rounds.rules.baccarat.bets import CoupBet
from rounds.rules.baccarat.coup import Coup, read_coup
from rounds.rules.facts import Bet, Round
from rounds.rules.limits import NO_LIMITS, Limits, exceeds_limits
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import (
    Grade,
    Verdict,
    held_verdict,
    outcome_of,
    settled_verdict,
    void_grade,
    void_verdict,
)
from rounds.rules.void import DISCONNECTED, LATE, MALFUNCTION, disconnected_players, is_out_of_time

PUSH_ON_TIE: Final = "push-on-tie"


@dataclass(frozen=True, slots=True, kw_only=True)
class BaccaratGame:
    """The declaration of a baccarat game."""

    decks: int
    bets: Mapping[str, CoupBet]

    def judge(self, dealt: Round, shoe: Shoe | None, limits: Limits = NO_LIMITS, /) -> Verdict:
        """The verdict on a round, given its shoe before the round and the limits of its table."""
        if dealt.malfunction:
            return void_verdict(dealt, MALFUNCTION)
        coup, codes = read_coup(dealt.cards)
        codes.update((shoe or Shoe()).anomalies(dealt, decks=self.decks))
        voids = void_reasons(dealt)
        counting = [bet for bet, void in zip(dealt.bets, voids, strict=True) if void is None]
        if limits and exceeds_limits(counting, limits):
            codes.add(STAKE_LIMITS)
        if coup is None or codes:
            return held_verdict(codes)
        return settled_verdict(dealt, self._grade_all(coup, dealt.bets, voids))

    def _grade_all(
        self, coup: Coup, bets: Sequence[Bet], voids: Sequence[str | None]
    ) -> tuple[Grade, ...]:
        """The grade of every bet, cached by kind and stake."""
        known: dict[tuple[str, int], Grade] = {}
        grades = []
        for bet, void in zip(bets, voids, strict=True):
            key = bet.kind, bet.stake_cents
            if void is not None:
                grades.append(void_grade(bet, void))
                continue
            if key not in known:
                known[key] = grade_stake(self.bets[bet.kind], coup, stake_cents=bet.stake_cents)
            grades.append(known[key])
        return tuple(grades)


def void_reasons(dealt: Round) -> list[str | None]:
    """For each bet the reason why it is void, None for one that counts."""
    disconnected = disconnected_players(dealt)
    return [
        DISCONNECTED if bet.player in disconnected else LATE if is_out_of_time(bet, dealt) else None
        for bet in dealt.bets
    ]


def grade_stake(bet: CoupBet, coup: Coup, *, stake_cents: int) -> Grade:
    """The grade of a stake on the bet."""
    if bet.wins(coup):
        payout_cents, reason = stake_cents + bet.pays.winnings(stake_cents), bet.kind
    elif bet.pushes is not None and bet.pushes(coup):
        payout_cents, reason = stake_cents, PUSH_ON_TIE
    else:
        payout_cents, reason = 0, bet.lost
    outcome = outcome_of(payout_cents=payout_cents, staked_cents=stake_cents)
    return Grade(outcome, payout_cents, 0, (reason,))
