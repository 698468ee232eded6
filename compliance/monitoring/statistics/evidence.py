"""Sequential evidence (e-values) that a bet's return differs from its certificate. Pure.

Alternatives are the distributions nearest to the certified one (in relative entropy) whose return
differs by a share of the stake. An outcome contributes the likelihood ratio of an alternative; the
ratios are multiplied over the rounds, and the evidence is the mean over all alternatives.

Under the certified chances, evidence is a martingale that starts at 1: the chance that it ever
reaches 20 is at most 1/20, at any stopping time (Ville 1939; Shafer 2021, "Testing by betting").
Daily looks therefore need no correction.

The unit is the round. Boxes of a round share cards, so their ratios are averaged, which is valid
under any dependence. Rounds of one shoe are slightly dependent; see `docs/monitoring.md`.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, fsum, log
from typing import Final, NamedTuple

from compliance.certification.returns.exact_returns import BetReturn

SHIFTS: Final = (0.003, 0.01, 0.03, 0.1)
"""Shifts of the alternatives as shares of the stake, in both directions."""

_STEPS: Final = 200
_WIDEST: Final = 60.0


class Alternative(NamedTuple):
    """An alternative return, and the log likelihood ratio of each outcome."""

    shift: float
    """Difference to the certified return, as a share of the stake."""
    log_ratios: Mapping[str, float]
    """Log of the chance under the alternative by the certified chance."""


def alternatives_of(bet: BetReturn, shifts: Sequence[float] = SHIFTS) -> tuple[Alternative, ...]:
    """The alternatives of a bet in both directions, without impossible returns."""
    chances = {
        outcome.name: float(outcome.probability) for outcome in bet.outcomes if outcome.probability
    }
    pays = {outcome.name: float(outcome.pays) for outcome in bet.outcomes if outcome.probability}
    mean = fsum(chance * pays[name] for name, chance in chances.items())
    least, most = min(pays.values()), max(pays.values())
    alternatives = []
    for shift in (*(-shift for shift in shifts), *shifts):
        if least < mean + shift < most:
            tilt = _tilt_to(mean + shift, chances, pays)
            norm = _log_norm(tilt, chances, pays)
            ratios = {name: tilt * pays[name] - norm for name in chances}
            alternatives.append(Alternative(shift, ratios))
    return tuple(alternatives)


class Evidence:
    """Accumulated evidence of one watch."""

    def __init__(self, alternatives: Sequence[Alternative]) -> None:
        if not alternatives:
            raise ValueError("found no alternative; needed a bet with more than one payout")
        self._alternatives = tuple(alternatives)
        self._logs = [0.0] * len(self._alternatives)
        self.rounds = 0

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Adds rounds with one outcome each, as counts by outcome.

        Raises KeyError for an outcome that the certificate does not have.
        """
        for place, alternative in enumerate(self._alternatives):
            self._logs[place] += fsum(
                n * alternative.log_ratios[name] for name, n in counts.items()
            )
        self.rounds += sum(counts.values())

    def add_round(self, outcomes: Sequence[str]) -> None:
        """Adds one round with the outcomes of several boxes."""
        if not outcomes:
            return
        for place, added in enumerate(logs_of_round(self._alternatives, outcomes)):
            self._logs[place] += added
        self.rounds += 1

    @property
    def logs(self) -> list[float]:
        """Log likelihood ratio of each alternative; additive over rounds."""
        return list(self._logs)

    @property
    def log_value(self) -> float:
        """Natural logarithm of the evidence."""
        return log_evidence(self._logs)

    def leans(self) -> float:
        """The shift of the best-supported alternative."""
        return max(zip(self._logs, self._alternatives, strict=True))[1].shift


def logs_of_round(alternatives: Sequence[Alternative], outcomes: Sequence[str]) -> list[float]:
    """Log of the mean likelihood ratio of a round's boxes, for each alternative.

    Raises KeyError for an outcome that the certificate does not have.
    """
    return [
        log(fsum(exp(alternative.log_ratios[name]) for name in outcomes) / len(outcomes))
        for alternative in alternatives
    ]


def log_evidence(logs: Sequence[float]) -> float:
    """Log evidence: the logarithm of the mean ratio over all alternatives."""
    return _log_sum(logs) - log(len(logs))


def alarms(log_values: Mapping[str, float], *, rate: float) -> frozenset[str]:
    """The watches in alarm, with a false discovery rate of at most ``rate``.

    Of m watches, the k with the most evidence are selected if each has at least m / (k · rate)
    (Wang and Ramdas 2022, "False discovery rate control with e-values"). Valid under any
    dependence.
    """
    ordered = sorted(log_values, key=lambda name: (-log_values[name], name))
    named = 0
    for count, name in enumerate(ordered, start=1):
        if log_values[name] >= log(len(ordered) / (count * rate)):
            named = count
    return frozenset(ordered[:named])


def _tilt_to(mean: float, chances: Mapping[str, float], pays: Mapping[str, float]) -> float:
    """The exponential tilt that gives this mean, by bisection."""
    low, high = -_WIDEST, _WIDEST
    for _ in range(_STEPS):
        middle = (low + high) / 2
        norm = _log_norm(middle, chances, pays)
        reached = fsum(
            chance * pays[name] * exp(middle * pays[name] - norm)
            for name, chance in chances.items()
        )
        low, high = (middle, high) if reached < mean else (low, middle)
    return (low + high) / 2


def _log_norm(tilt: float, chances: Mapping[str, float], pays: Mapping[str, float]) -> float:
    return _log_sum(log(chance) + tilt * pays[name] for name, chance in chances.items())


def _log_sum(logs: Iterable[float]) -> float:
    known = list(logs)
    top = max(known)
    return top + log(fsum(exp(value - top) for value in known))
