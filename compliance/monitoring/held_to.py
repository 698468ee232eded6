"""What the watches of a look are held to: certified figures, and evidence against them."""

from fractions import Fraction
from typing import Any, Final, NamedTuple

from compliance.certification.insurance import insurance_return
from compliance.exports.models import RuleCertificate
from compliance.monitoring.chances import watched_bets
from rounds.rules.blackjack.bets import INSURANCE, MAIN
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.catalogue import rule_set

_PLAYED_BEST: Final = {"bet": MAIN, "basis": "staked", "strategy": "cd", "leaves_out": None}
"""The line of a certificate with the main bet's return of all that is staked, by best play."""


class HeldTo(NamedTuple):
    """What a bet returns for each unit staked; the variance only where people decide nothing."""

    certified: float | None
    variance: float | None


def bet_is_held_to(rules: str, kind: str) -> HeldTo:
    """Worked out now, but for main bets, of which the last certificate tells: None without one.

    None, too, where the certificate leaves something out of the main bet.
    """
    exact = watched_bets(rules).get(kind)
    if exact is not None:
        return HeldTo(float(exact.rtp), float(exact.variance))
    game = rule_set(rules).declaration
    if kind == INSURANCE and isinstance(game, BlackjackGame):
        return HeldTo(float(insurance_return(rules, game).rtp), None)
    return HeldTo(_played_best(rules) if kind == MAIN else None, None)


def _played_best(rules: str) -> float | None:
    certificate = RuleCertificate.objects.filter(rules=rules).order_by("-pk").first()
    if certificate is None:
        return None
    told: list[dict[str, Any]] = certificate.told.get("returns", [])
    for line in told:
        if {name: line.get(name) for name in _PLAYED_BEST} == _PLAYED_BEST:
            return float(Fraction(line["rtp"]) / 100)
    return None
