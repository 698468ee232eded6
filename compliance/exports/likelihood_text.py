"""Sentences on the likelihood of a bet's outcome, for letters to customers."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.exports.bet_likelihood import Likelihood, Series
from rounds.explanations.sentences import rule_title
from rounds.formatting import count, format_decimal, in_rome
from rounds.rules.catalogue import RULE_SETS

_HUNDRED: Final = 100
_TENTH: Final = 0.1
_DIGITS: Final = 3
_LEAST: Final = 1e-12
_HOW_OFTEN: Final[dict[str, str | Promise]] = {
    "win": gettext_lazy("Frequency of a win for bets of this kind: %(often)s."),
    "push": gettext_lazy("Frequency of a push (stake returned) for bets of this kind: %(often)s."),
    "lose": gettext_lazy("Frequency of a loss for bets of this kind: %(often)s."),
}


def likelihood_sentences(likelihood: Likelihood) -> list[str]:
    """The sentences, in the active language."""
    return list(_sentences(likelihood))


def frequency_words(chance: Fraction | float) -> str:
    """A chance as a natural frequency: ``46 of 100``, ``1 of 463``, at most three digits."""
    if chance >= _TENTH:
        often, of = round(chance * _HUNDRED), _HUNDRED
    else:
        often, of = 1, _rounded(1 / max(chance, _LEAST))
    return _("%(often)s of %(of)s") % {"often": count(often), "of": count(of)}


def _rounded(number: Fraction | float) -> int:
    whole = round(number)
    return int(round(whole, min(_DIGITS - len(str(whole)), 0)))


def _sentences(likelihood: Likelihood) -> Iterator[str]:
    if likelihood.chance is None:
        yield str(_HOW_OFTEN["win"]) % {"often": frequency_words(likelihood.won)}
    else:
        yield str(_HOW_OFTEN[likelihood.outcome]) % {"often": frequency_words(likelihood.chance)}
    if likelihood.of_reason is not None:
        rule = RULE_SETS[likelihood.certificate.rules].reasons[likelihood.reason]
        yield _("Frequency of a win under the rule “%(rule)s”: %(often)s.") % {
            "rule": rule_title(rule),
            "often": frequency_words(likelihood.of_reason),
        }
    if likelihood.by_best_chart:
        yield _(
            "These frequencies assume optimal play. Other ways of playing have other frequencies."
        )
    if likelihood.series is not None:
        yield from _of_series(likelihood.series)
    issued, _zone = in_rome(likelihood.certificate.issued_at)
    yield _(
        "Computed from the rules of the game for freshly shuffled cards; certificate of %(day)s,"
        " SHA-256 %(digest)s."
    ) % {
        "day": formats.date_format(issued, "j F Y"),
        "digest": bytes(likelihood.certificate.digest).hex()[:16],
    }


def _of_series(series: Series) -> Iterator[str]:
    tail = series.tail
    yield _(
        "Rounds of %(day)s in which you placed this bet: %(rounds)s, of which you won %(wins)s. The"
        " average is %(expected)s."
    ) % {
        "day": formats.date_format(series.day, "j F Y"),
        "rounds": count(series.rounds),
        "wins": count(series.wins),
        "expected": format_decimal(Fraction(round(series.expected * 10), 10)),
    }
    often = {"often": frequency_words(tail.chance)}
    if tail.is_below:
        yield (
            _(
                "Customers with the same number of rounds who win as rarely, or more rarely:"
                " %(often)s."
            )
            % often
        )
    else:
        yield (
            _(
                "Customers with the same number of rounds who win as often, or more often:"
                " %(often)s."
            )
            % often
        )
