"""Likelihood of a bet's outcome, by the certificate of its rule set."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db import connection

from compliance.certification.returns.exact_returns import Outcome
from compliance.certification.returns.likelihood import (
    OutcomeChances,
    Tail,
    outcome_chances,
    tail_of,
)
from compliance.exports.models import RuleCertificate
from payouts.settlement.models import BetSettlement, Settlement
from rounds.gaming_day import begin_of_day, end_of_day, gaming_day
from rounds.models import Bet, Round
from rounds.row_mapping import milliseconds_of
from rounds.search import first_id

_BEST_CHART: Final = "td"
_MOST_ROUNDS: Final = 5_000
"""Maximum number of rounds per customer and day; the first ones count."""

# The customer's first bet of the kind in each round, void bets excluded.
_SERIES: Final = """
    SELECT settled.outcome = 'win'
      FROM (SELECT DISTINCT ON (bet.round_id) bet.round_id, bet.number
              FROM rounds_bet AS bet
             WHERE bet.customer_id = %(customer)s AND bet.kind = %(kind)s
               AND bet.round_id >= %(low)s AND bet.round_id < %(high)s
             ORDER BY bet.round_id, bet.number
             LIMIT %(most)s) AS played
      JOIN rounds_round AS round ON round.id = played.round_id AND round.rules = %(rules)s
     CROSS JOIN LATERAL (
           SELECT sequence FROM payouts_settlement
            WHERE round_id = played.round_id ORDER BY sequence DESC LIMIT 1) AS latest
      JOIN payouts_betsettlement AS settled
        ON settled.round_id = played.round_id AND settled.sequence = latest.sequence
       AND settled.bet_number = played.number AND settled.outcome <> 'void'
"""


class Series(NamedTuple):
    """The customer's rounds of the day with a bet of the kind, one bet per round."""

    day: date
    rounds: int
    wins: int
    chance: Fraction
    """Chance of a win in one round."""

    @property
    def expected(self) -> Fraction:
        """Mean number of wins."""
        return self.rounds * self.chance

    @property
    def tail(self) -> Tail:
        """Tail probability of the number of wins."""
        return tail_of(self.rounds, self.wins, self.chance)


class Likelihood(NamedTuple):
    """Likelihood of the outcome of a bet; chances as fractions of one."""

    certificate: RuleCertificate
    kind: str
    outcome: str
    """``BetSettlement.Outcome``, never void."""
    by_best_chart: bool
    """Whether the chances are those of the best chart, for a bet with decisions."""
    won: Fraction
    """The chance of a win."""
    chance: Fraction | None
    """The chance of this outcome; None if only the chance of a win is certified."""
    reason: str
    """The deciding rule, a key of the rule set's ``reasons``."""
    of_reason: Fraction | None
    """The chance of a win by this rule, if the bet can win in several ways."""
    ends: OutcomeChances | None
    series: Series | None
    """None without a round to count."""


def likelihood_of(round_: Round, bet: Bet, settlement: Settlement) -> Likelihood | None:
    """The likelihood of the outcome of a bet in a settlement.

    None for a void bet, without a certificate for the digest of the settling rule set, or if it has
    no chances for bets of this kind.
    """
    settled = BetSettlement.objects.get(
        round_id=round_.pk, sequence=settlement.sequence, bet_number=bet.number
    )
    if settled.outcome == BetSettlement.Outcome.VOID:
        return None
    certificate = (
        RuleCertificate.objects.filter(
            rules=settlement.rules, rules_digest=bytes(settlement.rules_digest)
        )
        .order_by("-pk")
        .first()
    )
    certified = None if certificate is None else _certified_return(certificate, bet.kind)
    if certificate is None or certified is None or "hit_frequency" not in certified:
        return None
    ends = outcome_chances(_outcomes(certified)) if "outcomes" in certified else None
    won = Fraction(certified["hit_frequency"]) / 100 if ends is None else ends.win
    reason = settled.reasons[0]
    ways = {
        outcome.name: outcome.probability for outcome in _outcomes(certified) if outcome.pays > 1
    }
    return Likelihood(
        certificate=certificate,
        kind=bet.kind,
        outcome=settled.outcome,
        by_best_chart=certified["strategy"] is not None,
        won=won,
        chance=_chance_of(settled.outcome, won, ends),
        reason=reason,
        of_reason=ways.get(reason) if len(ways) > 1 else None,
        ends=ends,
        series=_series(round_, bet, won) if 0 < won < 1 else None,
    )


def _certified_return(certificate: RuleCertificate, kind: str) -> Mapping[str, Any] | None:
    """The row of a bet kind; with decisions, that of the best chart per initial stake."""
    returns: list[dict[str, Any]] = [
        row
        for row in certificate.payload["returns"]
        if row["bet"] == kind
        and row["basis"] == "initial"
        and row["strategy"] in {None, _BEST_CHART}
    ]
    return returns[0] if returns else None


def _outcomes(certified: Mapping[str, Any]) -> list[Outcome]:
    return [
        Outcome(outcome["outcome"], Fraction(outcome["chance"]), Fraction(outcome["pays"]))
        for outcome in certified.get("outcomes", ())
    ]


def _chance_of(outcome: str, won: Fraction, ends: OutcomeChances | None) -> Fraction | None:
    if ends is not None:
        return Fraction(getattr(ends, outcome))
    return won if outcome == BetSettlement.Outcome.WIN else None


def _series(round_: Round, bet: Bet, won: Fraction) -> Series | None:
    day = gaming_day(milliseconds_of(round_.opened_at))
    parameters: dict[str, Any] = {
        "customer": bet.customer_id,
        "kind": bet.kind,
        "rules": round_.rules,
        "low": first_id(begin_of_day(day)),
        "high": first_id(end_of_day(day)),
        "most": _MOST_ROUNDS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SERIES, parameters)
        wins = [bool(won) for (won,) in cursor.fetchall()]
    return Series(day, len(wins), sum(wins), won) if wins else None
