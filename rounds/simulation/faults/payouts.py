"""Faults of reported payouts."""

from rounds.rules.facts import Round
from rounds.simulation.chance import happens, pick
from rounds.simulation.faults.fault import Scene, with_bet
from rounds.simulation.reporting import report_payouts


def report_wrongly(dealt: Round, scene: Scene) -> Round | None:
    """The reported payout of a bet is a cent or a stake too high."""
    reported = report_payouts(dealt, rule_set=scene.rule_set, known=scene.known)
    right = [
        (index, bet) for index, bet in enumerate(reported.bets) if bet.reported_cents is not None
    ]
    if not right:
        return None
    index, bet = pick(scene.rng, right)
    too_much = 1 if happens(scene.rng, 0.5) else bet.stake_cents
    wrong = bet._replace(reported_cents=(bet.reported_cents or 0) + too_much)
    return with_bet(reported, index, wrong)
