"""Faults of the bets: plays, raises, insurances, side bets, stakes."""

from rounds.rules.facts import Bet, Round
from rounds.simulation.blackjack_rounds.bonus_grid import BONUS_BET
from rounds.simulation.chance import between, happens, pick
from rounds.simulation.faults.fault import Scene, counting_bets, owners, with_bet, with_further_bet
from rounds.simulation.limits import DEMO_LIMITS

_INSURANCE = "insurance"
_TWO_HITS = 2
_OVER_LIMIT_CENTS = (1, 50_00)


def decide_out_of_turn(dealt: Round, scene: Scene) -> Round | None:
    """A hand decides once more than it may, or doubles after a hit."""
    played = [(index, bet) for index, bet in owners(dealt) if bet.play]
    if not played:
        return None
    index, bet = pick(scene.rng, played)
    backed = any(other.behind and other.box == bet.box for other in dealt.bets)
    hits_twice = bet.play.count("H") >= _TWO_HITS and bet.play.isalpha() and "P" not in bet.play
    if hits_twice and not backed and happens(scene.rng, 0.5):
        before, after = bet.play.rsplit("H", 1)
        raised_cents = bet.raised_cents + bet.stake_cents
        spoilt = bet._replace(play=f"{before}D{after}", raised_cents=raised_cents)
    else:
        spoilt = bet._replace(play=f"{bet.play}SS")  # nobody stands twice
    return with_bet(dealt, index, spoilt)


def raise_wrongly(dealt: Round, scene: Scene) -> Round | None:
    """A raise is missing, or added without a double or split."""
    mains = list(owners(dealt))
    if not mains:
        return None
    index, bet = pick(scene.rng, [(i, b) for i, b in mains if b.raised_cents] or mains)
    return with_bet(
        dealt, index, bet._replace(raised_cents=0 if bet.raised_cents else bet.stake_cents)
    )


def bet_without_main(dealt: Round, scene: Scene) -> Round | None:
    """A customer without a main bet on a box places a side bet there."""
    # A bet on the bonus could cause a second anomaly, a missing bonus.
    no_sides = ("main", _INSURANCE, BONUS_BET)
    sides = [kind for kind in DEMO_LIMITS[dealt.rules] if kind not in no_sides]
    boxes = [bet.box for _, bet in owners(dealt)]
    if not sides or not boxes:
        return None
    kind = pick(scene.rng, sides)
    stake_cents = pick(scene.rng, scene.outsider.habit.side_stakes_cents)
    placed_at = between(scene.rng, dealt.opened_at, dealt.closed_at)
    bet = _bet_of(scene, box=pick(scene.rng, boxes), kind=kind, stake=stake_cents, at=placed_at)
    return with_further_bet(dealt, bet)


def insure_without_ace(dealt: Round, scene: Scene) -> Round | None:
    """A hand is insured although the dealer shows no Ace."""
    insurable = [bet for _, bet in owners(dealt) if not bet.golden]
    if _ace_is_up(dealt) or not insurable:
        return None
    main = pick(scene.rng, insurable)
    placed_at = between(scene.rng, dealt.closed_at + 1, dealt.ended_at)
    insurance = _bet_of(
        scene, box=main.box, kind=_INSURANCE, stake=main.stake_cents // 2, at=placed_at
    )._replace(player=main.player, participation=main.participation)
    return with_further_bet(dealt, insurance)


def insure_for_another_amount(dealt: Round, scene: Scene) -> Round | None:
    """An insurance is a cent less than half of the main stake, or a cent more."""
    owned = {(bet.player, bet.box) for _, bet in owners(dealt)}
    insurances = [
        (index, bet)
        for index, bet in enumerate(dealt.bets)
        if bet.kind == _INSURANCE and (bet.player, bet.box) in owned
    ]
    if not insurances:
        return None
    index, bet = pick(scene.rng, insurances)
    least, _ = DEMO_LIMITS[dealt.rules][_INSURANCE]
    another = bet.stake_cents - 1 if bet.stake_cents > least else bet.stake_cents + 1
    return with_bet(dealt, index, bet._replace(stake_cents=another))


def stake_over_limit(dealt: Round, scene: Scene) -> Round | None:
    """A stake that the table does not accept; the cards and the plays are in order."""
    insured = {(bet.player, bet.box) for bet in dealt.bets if bet.kind == _INSURANCE}
    plain = [
        (index, bet)
        for index, bet in counting_bets(dealt)
        if not bet.raised_cents and (bet.player, bet.box) not in insured
    ]
    if not plain:
        return None
    index, bet = pick(scene.rng, plain)
    _, greatest = DEMO_LIMITS[dealt.rules][bet.kind]
    stake_cents = greatest + between(scene.rng, *_OVER_LIMIT_CENTS)
    return with_bet(dealt, index, bet._replace(stake_cents=stake_cents, reported_cents=None))


def break_down(dealt: Round, _scene: Scene) -> Round:
    """The studio declares the round broken; a bonus was not played, and nobody was credited."""
    bets = tuple(bet._replace(reported_cents=None) for bet in dealt.bets)
    return dealt._replace(malfunction=True, bonus=None, bets=bets)


def _ace_is_up(dealt: Round) -> bool:
    return next(card for place, card in dealt.cards if place == "D")[0] == "A"


def _bet_of(scene: Scene, *, box: int | None, kind: str, stake: int, at: int) -> Bet:
    return Bet(
        id="",
        player=scene.outsider.pseudonym,
        participation=scene.participation,
        box=box,
        kind=kind,
        stake_cents=stake,
        raised_cents=0,
        play="",
        golden=False,
        behind=False,
        follows=True,
        placed_at=at,
        reported_cents=None,
    )
