"""Compact rounds for tests of the rules.

``cards("1:8H D:AS")`` deals an eight to box 1 and an Ace to the dealer. Money is integer cents.
Betting is open from 10:00:00 to 10:00:15 and the round ends at 10:01:00.
"""

from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Bet, Bonus, Disconnect, Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Grade, Verdict

OPENED_AT = 1_795_255_200_000
CLOSED_AT = OPENED_AT + 15_000
ENDED_AT = OPENED_AT + 60_000
IN_TIME = OPENED_AT + 5_000
INSURANCE_TIME = CLOSED_AT + 5_000
AFTER_CLOSING = CLOSED_AT + 10_000

BLACKJACK = "blackjack/1"
MEGA_FIRE_BLAZE = "mega-fire-blaze-blackjack/1"
QUANTUM = "quantum-blackjack/1"
ZAPPIT = "zappit-blackjack/1"
BACCARAT = "baccarat/1"

THREE_MULTIPLIERS = (("QS", "5"), ("QH", "2.5"), ("QD", "10"))
"""Multiplier cards of a Quantum round in which they matter to nobody: no queens are dealt."""


def cards(text: str) -> tuple[tuple[str, str], ...]:
    """Cards with their places."""
    return tuple((place, card) for place, card in (pair.split(":") for pair in text.split()))


def bet(kind: str = "main", *, box: int | None = 1, stake: int = 1000, **fields: object) -> Bet:
    """A bet of p-1 on box 1, in time; by default its id is its kind and box."""
    known: dict[str, object] = {
        "id": f"{kind}-{box}",
        "player": "p-1",
        "participation": "N1",
        "box": box,
        "kind": kind,
        "stake_cents": stake,
        "raised_cents": 0,
        "play": "",
        "golden": False,
        "behind": False,
        "follows": True,
        "placed_at": INSURANCE_TIME if kind == "insurance" else IN_TIME,
        "reported_cents": None,
    }
    return Bet(**(known | fields))  # type: ignore[arg-type]  # the fields of a bet, by name


def side(kind: str, **fields: object) -> Bet:
    """A bet of p-1 at baccarat, where there are no boxes."""
    return bet(kind, box=None, **fields)  # type: ignore[arg-type]  # as above


def dealt(text: str, *bets: Bet, rules: str = BLACKJACK, **fields: object) -> Round:
    """A round of these cards and bets, the first of its shoe where there is one."""
    has_shoe = rule_set(rules).uses_shoe
    known: dict[str, object] = {
        "round": "r-1",
        "table": "t-1",
        "rules": rules,
        "shoe": "s-1" if has_shoe else None,
        "drawn": 0 if has_shoe else None,
        "opened_at": OPENED_AT,
        "closed_at": CLOSED_AT,
        "ended_at": ENDED_AT,
        "session": "M1",
        "cards": cards(text),
        "bets": bets,
        "multipliers": THREE_MULTIPLIERS if rules == QUANTUM else None,
        "bonus": None,
        "disconnects": (),
        "malfunction": False,
    }
    return Round(**(known | fields))  # type: ignore[arg-type]  # the fields of a round, by name


def judged(round_: Round, shoe: Shoe | None = None, limits: Limits = NO_LIMITS) -> Verdict:
    """The verdict of the round's own rule set."""
    return rule_set(round_.rules).judge(round_, shoe, limits)


def anomalies(text: str, *bets: Bet, rules: str = BLACKJACK, **fields: object) -> tuple[str, ...]:
    """The anomalies of a round of these cards and bets."""
    return judged(dealt(text, *bets, rules=rules, **fields)).anomalies


def grades(text: str, *bets: Bet, rules: str = BLACKJACK, **fields: object) -> tuple[Grade, ...]:
    """The grades of a settled round of these cards and bets."""
    verdict = judged(dealt(text, *bets, rules=rules, **fields))
    assert (verdict.status, verdict.anomalies) == ("settled", ())
    return verdict.grades


def payouts(text: str, *bets: Bet, rules: str = BLACKJACK, **fields: object) -> list[int]:
    """The payouts of a settled round of these cards and bets, in cents."""
    return [grade.payout_cents for grade in grades(text, *bets, rules=rules, **fields)]


def left(
    player: str = "p-1", *, at: int = AFTER_CLOSING, seen: int | None = None, own: str = ""
) -> Disconnect:
    """A disconnect, with the cards of a hand finished off line."""
    return Disconnect(player, at, seen, cards(own))


def bonus(
    level: str, total: str, *spins: str, specials: tuple[tuple[str, str, str], ...] = ()
) -> Bonus:
    """A bonus; ``"1:2 7:5"`` is a spin that put 2 into cell 1 and 5 into cell 7."""
    filled = tuple(
        tuple((int(cell), value) for cell, value in (pair.split(":") for pair in spin.split()))
        for spin in spins
    )
    return Bonus(level, filled, specials, total)
