"""Evidence that bets are worth another return than their certificate says. Pure: no database.

A bet's outcomes come with known chances. Against them stand alternatives, each the nearest
distribution (in relative entropy) with a return that is lower or higher by some share of the
stake. What an outcome says for an alternative is the ratio of its two chances; these are multiplied
up over the rounds, and the mean over all alternatives is the evidence.

While the table behaves, evidence is a fair game that began with 1: the chance that it ever comes
to 20 is at most 1/20, however often and whenever somebody looks (Ville 1939; Shafer 2021, "Testing
by betting"). So nobody has to say beforehand when he will look, and a daily look costs nothing.

The unit is the round. What is dealt there is one thing for all customers who share it; several
boxes of one round share cards, so that their ratios are averaged, which no dependence between them
spoils. Rounds of one shoe are not wholly independent; `docs/monitoring.md` says how little that is.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, fsum, log
from typing import Final, NamedTuple

from compliance.certification.exact import BetReturn

SHIFTS: Final = (0.003, 0.01, 0.03, 0.1)
"""Shares of the stake by which alternatives are off, each in both directions."""

_STEPS: Final = 200
_WIDEST: Final = 60.0


class Alternative(NamedTuple):
    """A return that the bet might have instead, and what each outcome says for it."""

    shift: float
    """Return less the certified one, as a share of the stake."""
    log_ratios: Mapping[str, float]
    """Logarithm of the outcome's chance under the alternative by the certified one."""


def alternatives_of(bet: BetReturn, shifts: Sequence[float] = SHIFTS) -> tuple[Alternative, ...]:
    """The alternatives of a bet in both directions, without those that it cannot have."""
    chances = {one.name: float(one.probability) for one in bet.outcomes if one.probability}
    pays = {one.name: float(one.pays) for one in bet.outcomes if one.probability}
    mean = fsum(chance * pays[name] for name, chance in chances.items())
    least, most = min(pays.values()), max(pays.values())
    found = []
    for shift in (*(-one for one in shifts), *shifts):
        if least < mean + shift < most:
            tilt = _tilt_to(mean + shift, chances, pays)
            norm = _log_norm(tilt, chances, pays)
            ratios = {name: tilt * pays[name] - norm for name in chances}
            found.append(Alternative(shift, ratios))
    return tuple(found)


class Evidence:
    """What the rounds of one watch say so far; add rounds in any portions."""

    def __init__(self, alternatives: Sequence[Alternative]) -> None:
        if not alternatives:
            raise ValueError("found no alternative; needed a bet with more than one payout")
        self._alternatives = tuple(alternatives)
        self._logs = [0.0] * len(self._alternatives)
        self.rounds = 0

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Rounds that had one outcome each: how many had which.

        KeyError for an outcome that the certificate does not know.
        """
        for place, one in enumerate(self._alternatives):
            self._logs[place] += fsum(n * one.log_ratios[name] for name, n in counts.items())
        self.rounds += sum(counts.values())

    def add_round(self, outcomes: Sequence[str]) -> None:
        """One round in which several boxes had an outcome each, of cards that they share."""
        if not outcomes:
            return
        for place, added in enumerate(logs_of_round(self._alternatives, outcomes)):
            self._logs[place] += added
        self.rounds += 1

    @property
    def logs(self) -> list[float]:
        """What the rounds say for each alternative: logarithms, which add up over watches."""
        return list(self._logs)

    @property
    def log_value(self) -> float:
        """Natural logarithm of the evidence, so that it never overflows."""
        return log_evidence(self._logs)

    def leans(self) -> float:
        """The shift of the alternative that the rounds speak for most; its sign says which way."""
        return max(zip(self._logs, self._alternatives, strict=True))[1].shift


def logs_of_round(alternatives: Sequence[Alternative], outcomes: Sequence[str]) -> list[float]:
    """What one round says for each alternative: the mean ratio of its boxes' outcomes.

    KeyError for an outcome that the certificate does not know.
    """
    return [
        log(fsum(exp(one.log_ratios[name]) for name in outcomes) / len(outcomes))
        for one in alternatives
    ]


def log_evidence(logs: Sequence[float]) -> float:
    """The evidence of what was added up for each alternative: natural logarithm of their mean."""
    return _log_sum(logs) - log(len(logs))


def alarms(log_values: Mapping[str, float], *, rate: float) -> frozenset[str]:
    """Which of many watches give alarm, so that of all alarms at most this share is false.

    Of m watches the k with the most evidence are named where the least of them has m / (k · rate)
    (Wang and Ramdas 2022, "False discovery rate control with e-values"): whatever the watches have
    to do with each other, and as strict as 1/rate for one alone.
    """
    ordered = sorted(log_values, key=lambda name: (-log_values[name], name))
    named = 0
    for count, name in enumerate(ordered, start=1):
        if log_values[name] >= log(len(ordered) / (count * rate)):
            named = count
    return frozenset(ordered[:named])


def _tilt_to(mean: float, chances: Mapping[str, float], pays: Mapping[str, float]) -> float:
    """The tilt that gives this mean, by halving: the mean grows with the tilt."""
    low, high = -_WIDEST, _WIDEST
    for _ in range(_STEPS):
        middle = (low + high) / 2
        norm = _log_norm(middle, chances, pays)
        found = fsum(
            chance * pays[name] * exp(middle * pays[name] - norm)
            for name, chance in chances.items()
        )
        low, high = (middle, high) if found < mean else (low, middle)
    return (low + high) / 2


def _log_norm(tilt: float, chances: Mapping[str, float], pays: Mapping[str, float]) -> float:
    return _log_sum(log(chance) + tilt * pays[name] for name, chance in chances.items())


def _log_sum(logs: Iterable[float]) -> float:
    known = list(logs)
    top = max(known)
    return top + log(fsum(exp(one - top) for one in known))
