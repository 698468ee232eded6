"""How likely it was that a bet ended as it did, by the certificate of its rule set."""

from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db import connection

from compliance.certification.exact import Outcome
from compliance.certification.likelihood import Ends, Tail, ends_of, tail_of
from compliance.exports.models import RuleCertificate
from payouts.models import BetSettlement, Settlement
from rounds.gaming_day import end_of_day, gaming_day
from rounds.models import Bet, Round
from rounds.search import first_id
from rounds.storage import milliseconds_of

_BEST_CHART: Final = "td"
_MOST_ROUNDS: Final = 5_000
"""So many of one customer and day are looked at, the first ones; few play more in 24 hours."""

# Of each round the customer's first bet of the kind; void ones never counted.
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
    """The customer's rounds of the day with a bet of the kind, one bet a round."""

    day: date
    rounds: int
    wins: int
    chance: Fraction
    """Of a win in one round."""

    @property
    def expected(self) -> Fraction:
        """How many are won on average."""
        return self.rounds * self.chance

    @property
    def tail(self) -> Tail:
        """How likely that is, or something farther from the average."""
        return tail_of(self.rounds, self.wins, self.chance)


class Likelihood(NamedTuple):
    """How likely the end of one bet was; chances as fractions of one."""

    certificate: RuleCertificate
    kind: str
    outcome: str
    """``BetSettlement.Outcome``, never void."""
    by_best_chart: bool
    """Whether the bet has decisions, and the chances are those of the best chart."""
    won: Fraction
    """The chance of a win."""
    chance: Fraction | None
    """Of an end like this one; None where only the chance of a win is certified."""
    reason: str
    """The rule that decided, a key of the rule set's ``reasons``."""
    of_reason: Fraction | None
    """The chance of an end by this very rule, where the bet can win in several ways."""
    ends: Ends | None
    series: Series | None
    """None without a round to count."""


def likelihood_of(round_: Round, bet: Bet, settlement: Settlement) -> Likelihood | None:
    """How likely it was that a bet of the round ended as the settlement says.

    None for a void bet, and where nothing is certified: no certificate for the digest of the rule
    set that settled, or no chance in it for a bet of this kind.
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
    told = None if certificate is None else _told_of(certificate, bet.kind)
    if certificate is None or told is None or "hit_frequency" not in told:
        return None
    ends = ends_of(_outcomes(told)) if "outcomes" in told else None
    won = Fraction(told["hit_frequency"]) / 100 if ends is None else ends.win
    reason = settled.reasons[0]
    ways = {one.name: one.probability for one in _outcomes(told) if one.pays > 1}
    return Likelihood(
        certificate=certificate,
        kind=bet.kind,
        outcome=settled.outcome,
        by_best_chart=told["strategy"] is not None,
        won=won,
        chance=_chance_of(settled.outcome, won, ends),
        reason=reason,
        of_reason=ways.get(reason) if len(ways) > 1 else None,
        ends=ends,
        series=_series(round_, bet, won) if 0 < won < 1 else None,
    )


def _told_of(certificate: RuleCertificate, kind: str) -> Mapping[str, Any] | None:
    """What it tells of the bet: where play matters, by the best chart for each initial stake."""
    found: list[dict[str, Any]] = [
        one
        for one in certificate.told["returns"]
        if one["bet"] == kind
        and one["basis"] == "initial"
        and one["strategy"] in {None, _BEST_CHART}
    ]
    return found[0] if found else None


def _outcomes(told: Mapping[str, Any]) -> list[Outcome]:
    return [
        Outcome(one["outcome"], Fraction(one["chance"]), Fraction(one["pays"]))
        for one in told.get("outcomes", ())
    ]


def _chance_of(outcome: str, won: Fraction, ends: Ends | None) -> Fraction | None:
    if ends is not None:
        return Fraction(getattr(ends, outcome))
    return won if outcome == BetSettlement.Outcome.WIN else None


def _series(round_: Round, bet: Bet, won: Fraction) -> Series | None:
    day = gaming_day(milliseconds_of(round_.opened_at))
    asked: dict[str, Any] = {
        "customer": bet.customer_id,
        "kind": bet.kind,
        "rules": round_.rules,
        "low": first_id(end_of_day(day - timedelta(days=1))),
        "high": first_id(end_of_day(day)),
        "most": _MOST_ROUNDS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SERIES, asked)
        wins = [bool(one) for (one,) in cursor.fetchall()]
    return Series(day, len(wins), sum(wins), won) if wins else None
