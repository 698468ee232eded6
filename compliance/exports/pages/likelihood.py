"""How likely it was that a bet ended as it did: in pictures, and as a letter to the customer."""

from fractions import Fraction
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from compliance.certification.likelihood import wins_chances
from compliance.exports.likelihood_words import frequency_words, likelihood_letter
from compliance.exports.likelihoods import Likelihood, Series, likelihood_of
from payouts.models import BetSettlement
from payouts.pages.own_pages import show
from payouts.queries import standings_of
from rounds.models import Bet, Round
from rounds.wording import decimal_words, kind_words, percent

_LANGUAGES: Final = (("it", "Italiano"), ("en", "English"))
_WIDTH: Final = 1000
_HEIGHT: Final = 200
_SHOWN: Final = 1e-4
"""Numbers of wins that are rarer than this share of the likeliest are not drawn."""


class Bar(NamedTuple):
    """One number of wins; the picture is 1,000 wide and 200 high."""

    wins: int
    x: float
    width: float
    height: float
    is_tail: bool
    """Whether it lies as far from the average as what happened, or farther."""
    is_here: bool

    @property
    def y(self) -> float:
        """Where it begins, from above."""
        return _HEIGHT - self.height


class End(NamedTuple):
    """One end of the bet, as a part of the whole width."""

    outcome: str
    words: str
    share: str
    often: str
    x: float
    width: float
    is_here: bool


def show_likelihood(request: HttpRequest, round_id: UUID, number: int) -> HttpResponse:
    """The page of one bet; it says so where nothing can be told."""
    round_ = get_object_or_404(Round, pk=round_id)
    bet = get_object_or_404(Bet.objects.select_related("customer"), round=round_, number=number)
    settlement = standings_of([round_.pk])[round_.pk].settlement
    told = None if settlement is None else likelihood_of(round_, bet, settlement)
    context: dict[str, Any] = {
        "title": _("How likely was it?"),
        "parent": {
            "title": _("Round %(code)s") % {"code": round_.game_code},
            "address": reverse("admin:rounds_round_change", args=[round_.pk]),
        },
        "row": round_,
        "bet": bet,
        "kind": kind_words(bet.kind),
        "is_settled": settlement is not None,
        "told": told,
    }
    if told is not None:
        context |= {
            "pill": f"bet-{told.outcome}",
            "often": frequency_words(told.won if told.chance is None else told.chance),
            "ends": ends_drawn(told),
            "bars": [] if told.series is None else bars_drawn(told.series),
            "expected": told.series and decimal_words(_tenths(told.series.expected)),
            "letters": [(code, name, _in_language(code, told)) for code, name in _LANGUAGES],
        }
    return show(request, "pages/exports/likelihood.html", context)


def ends_drawn(told: Likelihood) -> list[End]:
    """The ends of the bet from left to right; nothing where only wins are certified."""
    if told.ends is None:
        return []
    drawn, x = [], 0.0
    for outcome, chance in told.ends._asdict().items():
        if chance:
            width = _WIDTH * float(chance)
            words = str(BetSettlement.Outcome(outcome).label)
            often = frequency_words(chance)
            here = outcome == told.outcome
            drawn.append(End(outcome, words, percent(chance), often, x, width, here))
            x += width
    return drawn


def bars_drawn(series: Series) -> list[Bar]:
    """How likely each number of wins is, without those that nobody could see."""
    chances = wins_chances(series.rounds, series.chance)
    top, tail = max(chances), series.tail
    seen = [
        wins for wins, chance in enumerate(chances) if chance >= top * _SHOWN or wins == series.wins
    ]
    first, last = min(seen), max(seen)
    step = _WIDTH / (last - first + 1)
    return [
        Bar(
            wins,
            (wins - first) * step,
            step * 0.86,
            max(_HEIGHT * chances[wins] / top, 1.0),
            wins <= series.wins if tail.is_below else wins >= series.wins,
            wins == series.wins,
        )
        for wins in range(first, last + 1)
    ]


def _tenths(number: Fraction) -> Fraction:
    return Fraction(round(number * 10), 10)


def _in_language(code: str, told: Likelihood) -> list[str]:
    with override(code):
        return likelihood_letter(told)
