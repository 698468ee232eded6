"""Play by a printed strategy chart."""

from collections.abc import Collection

from compliance.certification.returns.blackjack.strategy import UPCARDS, Strategy
from rounds.rules.blackjack.totals import total_of_values
from tests.compliance.certification.random_rounds import Decide


def by_chart(strategy: Strategy) -> Decide:
    """Decides as the chart of the analysis."""

    def decide(values: tuple[int, ...], upcard: int, letters: Collection[str]) -> str:
        total = total_of_values(values)
        row = f"{'soft' if total.is_soft else 'hard'} {total.points}"
        if "P" in letters:
            name = "A" if values[0] == 1 else str(values[0])
            row = f"{name}+{name}"
        choices = strategy[row][UPCARDS.index(upcard)]
        return next(letter for letter in choices if letter in letters)

    return decide
