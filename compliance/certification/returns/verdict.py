"""Verdict on a declared return, as certificates print it."""

from fractions import Fraction
from typing import Final, NamedTuple

from compliance.certification.returns.declared_returns import DeclaredReturn
from compliance.certification.returns.exact_returns import percent_text
from compliance.certification.returns.reachable_returns import Reach

REPRODUCED: Final = "reproduced"
NOT_REPRODUCED: Final = "not reproduced"
CONTRADICTION: Final = "contradiction"
NONE_DECLARED: Final = "none declared"

MULTIPLIERS: Final = "multiplier cards"
"""What a return may leave out: the sheet does not publish their frequencies."""

_PLACES: Final = 4


class Verdict(NamedTuple):
    """One of the four verdicts, and the reason in a sentence."""

    word: str
    why: str


def verdict_on(
    share: Fraction, declared: DeclaredReturn | None, reach: Reach | None = None
) -> Verdict:
    """The verdict on a declared return, given the computed one.

    ``reach`` tells whether any number of decks gives the declared figure; None if not computed.
    """
    if declared is None:
        return Verdict(NONE_DECLARED, "The sheet declares no return for this bet.")
    if declared.is_printed_as(share):
        return Verdict(REPRODUCED, f"Rounded as on the sheet, the return is {declared.percent} %.")
    if reach is None or reach.gives is not None:
        off = percent_text(share - declared.share, places=_PLACES)
        return Verdict(
            NOT_REPRODUCED, f"It differs from the declared return by {off} percentage points."
        )
    returns = f"At the printed odds the bet returns {percent_text(share, places=_PLACES)} %"
    return Verdict(CONTRADICTION, f"{returns}; {_why_never(declared, reach)}.")


def without_multipliers(share: Fraction, declared: DeclaredReturn) -> Verdict:
    """The verdict on a game computed without its multiplier cards."""
    missing = percent_text(declared.share - share, places=_PLACES)
    why = f"The game without multiplier cards, which would have to add {missing} percentage points;"
    return Verdict(NOT_REPRODUCED, f"{why} the sheet does not state their frequency.")


def _why_never(declared: DeclaredReturn, reach: Reach) -> str:
    if reach.below is None:
        most = percent_text(reach.at_most, places=_PLACES)
        return f"with any number of decks it is less than {most} %"
    decks = f"with {reach.below} decks it is less and with {reach.below + 1} more"
    return f"{decks} than {declared.percent} %, so no number of decks gives this return"
