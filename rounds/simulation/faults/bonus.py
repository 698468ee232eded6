"""Faults of bonuses and multiplier cards."""

from rounds.rules.facts import Round
from rounds.simulation.blackjack_rounds.bonus_grid import BONUS_BET, level_earned, play_bonus
from rounds.simulation.chance import happens, pick
from rounds.simulation.faults.fault import Scene, owners
from rounds.simulation.weights import grid_weights

_NO_SUCH_MULTIPLIER = "4"


def leave_bonus_out(dealt: Round, _scene: Scene) -> Round | None:
    """A bonus that was earned and bet on was not played."""
    mains = {(bet.player, bet.box) for _, bet in owners(dealt)}
    bonus_bets = [bet for bet in dealt.bets if bet.kind == BONUS_BET]
    bet_on = any(
        (bet.player, bet.box) in mains and bet.placed_at <= dealt.closed_at for bet in bonus_bets
    )
    return dealt._replace(bonus=None) if dealt.bonus and bet_on else None


def play_unearned_bonus(dealt: Round, scene: Scene) -> Round | None:
    """A bonus of another level than that of the points."""
    if scene.blaze is None:
        return None
    earned = level_earned(scene.blaze, dealt.cards)
    name = pick(scene.rng, [level for level in scene.blaze.levels if level != earned])
    weights = grid_weights(dealt.rules)[name]
    bonus = play_bonus(scene.rng, name=name, level=scene.blaze.levels[name], weights=weights)
    return dealt._replace(bonus=bonus)


def end_bonus_wrongly(dealt: Round, scene: Scene) -> Round | None:
    """The multiplier is not what the grid adds up to, or a spin came after the last."""
    bonus = dealt.bonus
    if bonus is None:
        return None
    if happens(scene.rng, 0.5):
        return dealt._replace(bonus=bonus._replace(spins=(*bonus.spins, ())))
    return dealt._replace(bonus=bonus._replace(multiplier=f"{int(bonus.multiplier) + 1}"))


def mix_multipliers_up(dealt: Round, scene: Scene) -> Round | None:
    """A multiplier card is missing, or has a value that does not exist."""
    if not dealt.multipliers:
        return None
    *others, (card, _) = dealt.multipliers
    if happens(scene.rng, 0.5):
        return dealt._replace(multipliers=tuple(others))
    return dealt._replace(multipliers=(*others, (card, _NO_SUCH_MULTIPLIER)))
