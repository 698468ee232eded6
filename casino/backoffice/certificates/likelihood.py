"""How likely the outcome of a bet was: charts, and a text for the customer."""

from fractions import Fraction
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from casino.backoffice.site.views import show
from compliance.certification.returns.likelihood import wins_chances
from compliance.exports.bet_likelihood import Likelihood, Series, likelihood_of
from compliance.exports.likelihood_text import frequency_words, likelihood_sentences
from payouts.settlement.models import BetSettlement
from payouts.settlement.queries import settlement_statuses
from rounds.formatting import bet_kind_label, format_decimal, percent
from rounds.models import Bet, Round

_LANGUAGES: Final = (("it", "Italiano"), ("en", "English"))
_WIDTH: Final = 1000
_HEIGHT: Final = 200
_SHOWN: Final = 1e-4
"""Numbers of wins rarer than this share of the most likely one are not drawn."""


class Bar(NamedTuple):
    """One number of wins; the chart is 1,000 wide and 200 high."""

    wins: int
    x: float
    width: float
    height: float
    is_tail: bool
    """Whether it is at least as far from the expected value as the actual one."""
    is_actual: bool

    @property
    def y(self) -> float:
        """Distance from the top."""
        return _HEIGHT - self.height


class OutcomeShare(NamedTuple):
    """One outcome of the bet, as a part of the full width."""

    outcome: str
    label: str
    share: str
    often: str
    x: float
    width: float
    is_actual: bool


def show_likelihood(request: HttpRequest, round_id: UUID, number: int) -> HttpResponse:
    """The page of one bet, also without a certified probability."""
    round_ = get_object_or_404(Round, pk=round_id)
    bet = get_object_or_404(Bet.objects.select_related("customer"), round=round_, number=number)
    settlement = settlement_statuses([round_.pk])[round_.pk].settlement
    likelihood = None if settlement is None else likelihood_of(round_, bet, settlement)
    context: dict[str, Any] = {
        "title": _("How likely was it?"),
        "parent": {
            "title": _("Round %(code)s") % {"code": round_.game_code},
            "address": reverse("admin:rounds_round_change", args=[round_.pk]),
        },
        "row": round_,
        "bet": bet,
        "kind": bet_kind_label(bet.kind),
        "is_settled": settlement is not None,
        "likelihood": likelihood,
    }
    if likelihood is not None:
        context |= {
            "badge": f"bet-{likelihood.outcome}",
            "often": frequency_words(
                likelihood.won if likelihood.chance is None else likelihood.chance
            ),
            "outcomes": outcomes_drawn(likelihood),
            "bars": [] if likelihood.series is None else bars_drawn(likelihood.series),
            "expected": likelihood.series and format_decimal(_tenths(likelihood.series.expected)),
            "letters": [(code, name, _in_language(code, likelihood)) for code, name in _LANGUAGES],
        }
    return show(request, "backoffice/exports/likelihood.html", context)


def outcomes_drawn(likelihood: Likelihood) -> list[OutcomeShare]:
    """The outcomes from left to right; empty if only wins are certified."""
    if likelihood.ends is None:
        return []
    drawn, x = [], 0.0
    for outcome, chance in likelihood.ends._asdict().items():
        if chance:
            width = _WIDTH * float(chance)
            label = str(BetSettlement.Outcome(outcome).label)
            often = frequency_words(chance)
            is_actual = outcome == likelihood.outcome
            drawn.append(OutcomeShare(outcome, label, percent(chance), often, x, width, is_actual))
            x += width
    return drawn


def bars_drawn(series: Series) -> list[Bar]:
    """The probability of each number of wins, without invisible bars."""
    chances = wins_chances(series.rounds, series.chance)
    top, tail = max(chances), series.tail
    shown_wins = [
        wins for wins, chance in enumerate(chances) if chance >= top * _SHOWN or wins == series.wins
    ]
    first, last = min(shown_wins), max(shown_wins)
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


def _in_language(code: str, likelihood: Likelihood) -> list[str]:
    with override(code):
        return likelihood_sentences(likelihood)
