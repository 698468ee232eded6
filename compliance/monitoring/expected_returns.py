"""Expected returns of watched bets, from exact returns and certificates."""

from fractions import Fraction
from typing import Any, Final, NamedTuple

from compliance.certification.returns.insurance import insurance_return
from compliance.exports.models import RuleCertificate
from compliance.monitoring.statistics.chances import watched_bets
from rounds.rules.blackjack.bets import INSURANCE, MAIN
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.catalogue import rule_set

_PLAYED_BEST: Final = {"bet": MAIN, "basis": "staked", "strategy": "cd", "leaves_out": None}
"""The row of a certificate with the main bet's return per unit staked, by best play."""


class ExpectedReturn(NamedTuple):
    """The return per unit staked; the variance only for bets without decisions."""

    certified: float | None
    variance: float | None


def expected_return(rules: str, kind: str) -> ExpectedReturn:
    """The expected return of a bet kind, computed; of main bets, from the latest certificate.

    ``certified`` is None without a certificate, or if it leaves part of the main bet out.
    """
    exact = watched_bets(rules).get(kind)
    if exact is not None:
        return ExpectedReturn(float(exact.rtp), float(exact.variance))
    game = rule_set(rules).declaration
    if kind == INSURANCE and isinstance(game, BlackjackGame):
        return ExpectedReturn(float(insurance_return(rules, game).rtp), None)
    return ExpectedReturn(_played_best(rules) if kind == MAIN else None, None)


def _played_best(rules: str) -> float | None:
    certificate = RuleCertificate.objects.filter(rules=rules).order_by("-pk").first()
    if certificate is None:
        return None
    returns: list[dict[str, Any]] = certificate.payload.get("returns", [])
    for line in returns:
        if {name: line.get(name) for name in _PLAYED_BEST} == _PLAYED_BEST:
            return float(Fraction(line["rtp"]) / 100)
    return None
