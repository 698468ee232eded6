"""Simulated customers: pseudonyms, and habits of staking and deciding."""

from random import Random
from typing import Final, NamedTuple

from rounds.simulation.chance import pick

MOST_CUSTOMERS: Final = 1_000_000
REGULARS: Final = 4_000
"""The number of customers who visit ordinary tables."""


class Habit(NamedTuple):
    """The habits of a kind of customer. Floats are probabilities from 0 to 1."""

    stakes_cents: tuple[int, ...]
    """Main stakes; repeated ones are more likely."""
    side_stakes_cents: tuple[int, ...]
    side_bets: float
    """Of each side bet on offer."""
    insures: float
    errs: float
    """Of a deviation from basic strategy."""
    backs_others: float
    """Of a bet behind."""
    follows: bool
    """Whether a bet behind follows the owner's raises."""


class Customer(NamedTuple):
    """A customer: a number below 1,000,000, the operator's pseudonym, a habit."""

    number: int
    pseudonym: str
    habit: Habit


_HABITS: Final = (
    Habit((10, 20, 50, 50), (10, 10, 20), 0.15, 0.05, 0.06, 0.10, follows=True),
    Habit((100, 100, 200, 500), (50, 100), 0.20, 0.10, 0.04, 0.15, follows=True),
    Habit((500, 1_000, 1_000, 2_000), (100, 100, 500), 0.30, 0.15, 0.03, 0.10, follows=True),
    Habit((777, 333, 1_313, 777), (77, 111), 0.50, 0.40, 0.12, 0.30, follows=False),
    Habit((15, 15, 35, 105), (15, 25), 0.40, 0.30, 0.15, 0.40, follows=True),
    Habit((2_500, 5_000, 10_000), (500, 1_000, 2_500), 0.25, 0.10, 0.01, 0.05, follows=True),
    Habit((100_000, 50_000, 20_000, 25_000), (1_000, 10_000), 0.10, 0.05, 0.01, 0.0, follows=True),
    Habit((1_000, 1_001, 999, 1_235), (250, 101), 0.60, 0.60, 0.25, 0.20, follows=False),
    Habit((250, 500, 750), (50, 250), 0.80, 0.20, 0.08, 0.25, follows=True),
    Habit((5_000, 3_333, 10_000), (333, 1_000), 0.05, 0.0, 0.0, 0.10, follows=False),
)


def customer(number: int) -> Customer:
    """The customer with this number."""
    return Customer(number, f"p-{1_000 + number}", _HABITS[number % len(_HABITS)])


def regular(rng: Random) -> Customer:
    """A random visitor of ordinary tables."""
    return customer(int(rng.random() * REGULARS))


def stake_within(rng: Random, stakes_cents: tuple[int, ...], limit: tuple[int, int]) -> int:
    """One of the stakes in cents, clamped to the limit."""
    least, greatest = limit
    return min(max(pick(rng, stakes_cents), least), greatest)
